//! Every proof of every small tree: made as the RFC defines it, and accepted.

use crate::naive::Tree;
use crate::{MAX_SIZE, leaves};
use svc_kernel::merkle::{prove_consistency, prove_inclusion, verify_consistency, verify_inclusion};

#[test]
fn every_inclusion_proof() {
    let all = leaves(MAX_SIZE);
    let tree = Tree::new(all.clone());
    for size in 1..=MAX_SIZE {
        let root = tree.mth(0, size);
        for index in 0..size {
            let path = prove_inclusion(&all[..size], index).unwrap();
            assert_eq!(path, tree.path(index, 0, size), "leaf {index} of {size}");
            assert!(
                verify_inclusion(&all[index], index as u64, size as u64, &path, &root),
                "leaf {index} of {size}"
            );
        }
    }
}

#[test]
fn every_consistency_proof() {
    let all = leaves(MAX_SIZE);
    let tree = Tree::new(all.clone());
    for to in 1..=MAX_SIZE {
        let to_root = tree.mth(0, to);
        for from in 1..=to {
            let path = prove_consistency(&all[..to], from).unwrap();
            assert_eq!(path, tree.subproof(from, 0, to, true), "{from} to {to}");
            assert!(
                verify_consistency(from as u64, &tree.mth(0, from), to as u64, &to_root, &path),
                "{from} to {to}"
            );
        }
    }
}

#[test]
fn there_is_no_proof_outside_the_tree() {
    for size in 0..20 {
        let all = leaves(size);
        assert_eq!(prove_inclusion(&all, size), None);
        assert_eq!(prove_inclusion(&all, usize::MAX), None);
        assert_eq!(prove_consistency(&all, 0), None);
        assert_eq!(prove_consistency(&all, size + 1), None);
        assert_eq!(prove_consistency(&all, usize::MAX), None);
    }
}

#[test]
fn equal_sizes_need_equal_roots_and_an_empty_path() {
    let [root, other] = [[1; 32], [2; 32]];
    for size in [1, 2, 3, 4, 7, 8, 1 << 40, (1 << 53) - 1] {
        assert!(verify_consistency(size, &root, size, &root, &[]));
        assert!(!verify_consistency(size, &root, size, &other, &[]));
        assert!(!verify_consistency(size, &root, size, &root, &[root]));
    }
}
