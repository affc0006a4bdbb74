/**
 * The worked examples of the C2SP specifications, unchanged (github.com/C2SP/C2SP: signed-note.md, tlog-checkpoint.md,
 * tlog-cosignature.md, tlog-policy.md, tlog-proof.md; CC BY 4.0).
 */

/** signed-note.md, "Verifier keys": a key, and a note that it verifies. */
export const SIGNED_NOTE = {
  vkey: "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
  note: `This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
`,
};

/** signed-note.md, "Note": a text with an empty line in it. */
export const POEM = {
  text: `Ognuno sta solo sul cuor della terra
trafitto da un raggio di sole:

ed è subito sera.
`,
  note: `Ognuno sta solo sul cuor della terra
trafitto da un raggio di sole:

ed è subito sera.

— quasimodo.example/salvatore NnugSzTjtVAewIS+Z/iJhUPeFDkO/5QQ2i5ddnGITLlC+EhfLW9oJKONrMouFSQU0xMcXxj99ihAQwaqP3ZekRwNtIc=
`,
};

/**
 * tlog-checkpoint.md and tlog-cosignature.md: a checkpoint, the same one cosigned, and the bytes that the cosigner
 * signed.
 */
export const CHECKPOINT = {
  text: `example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=
`,
  logLine:
    "— example.com/behind-the-sofa " +
    "Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n",
  witnessLine:
    "— witness.example.com/w1 " +
    "jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==\n",
  time: 1679315147,
  cosigned: `cosignature/v1
time 1679315147
example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=
`,
};

/** tlog-policy.md, "Example policy"; each `<vkey>` stands for a key that the page leaves out. */
export const POLICY = `log <vkey>

witness X1 <vkey>
witness X2 <vkey>
witness X3 <vkey>
group X-witnesses 2 X1 X2 X3

witness Y1 <vkey>
witness Y2 <vkey>
witness Y3 <vkey>
group Y-witnesses any Y1 Y2 Y3

group X-and-Y all X-witnesses Y-witnesses
quorum X-and-Y
`;

/** tlog-proof.md: the part of the example that the page does not abridge, without its signature lines. */
export const PROOF = `c2sp.org/tlog-proof@v1
extra YWdlLXYxLjIuMS1kYXJ3aW4tYXJtNjQudGFyLmd6kYXJ3aW4tYXJ
index 73894
gSKyXoYZUgZ6jduWYrkDOARinOMGJveXjgMkBTcdPlQ=
B95lDa8R83lS8n0eG+o0buTxRKQTYFi//1U8anccXmA=
EKNzoDWG8LGC0Yp9o+sv3qllpMP9uHQ9B20KNL+Q1zs=
RoopEkOdqkYqMB4MJXrbt/hMjOxsVn0IrWjpz1ZMMes=
AHCioX9nLjsrse6YhjRRmk1WUEirVOLLRoOQ6vfO5vk=

example.com/fancylog
109482
sFodV/vSp5O8n9a8QpW6PRY97tfOSW5bsc2Xl/EQi08=

`;
