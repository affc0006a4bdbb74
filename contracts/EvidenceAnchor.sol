// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// The epochs of one service's log, each written once (protocol section 12). A verifier reads the mapping at slot 0 out
/// of a block's state, and knows by the code's hash that no epoch can have been another before: the code is the same in
/// every deployment, so that the address that may anchor stands in storage, and not in the code.
///
/// There is nothing to administer: the anchorer can write epochs, and nobody can change or remove one, hand the right
/// on, stop or replace the contract, or send it money. A service that loses its key deploys another contract.
contract EvidenceAnchor {
    /// Epoch number to epoch hash; zero where none was written. It must stay the first variable: slot 0.
    mapping(uint256 epochNo => bytes32 epochHash) public epochs;

    /// The only address that may write.
    address public anchorer;

    /// An epoch was written.
    event Anchored(uint256 indexed epochNo, bytes32 indexed epochHash);

    /// The sender is not the anchorer.
    error NotAnchorer();
    /// Zero means that nothing was written, so it is no hash of an epoch.
    error EmptyHash();
    /// The epoch was written before, whatever its hash.
    error AlreadyAnchored();

    /// The deploying address is the anchorer.
    constructor() {
        anchorer = msg.sender;
    }

    /// Writes an epoch, once.
    function anchor(uint256 epochNo, bytes32 epochHash) external {
        if (msg.sender != anchorer) revert NotAnchorer();
        if (epochHash == 0) revert EmptyHash();
        if (epochs[epochNo] != 0) revert AlreadyAnchored();
        epochs[epochNo] = epochHash;
        emit Anchored(epochNo, epochHash);
    }
}
