/** How a report looks: one column, system fonts, two weights, light and dark, and on paper. Nothing is said by colour alone. */
export const REPORT_STYLE = `:root{color-scheme:light dark;--text:#1b1c1f;--quiet:#55585f;--ground:#fff;--line:#d5d7dc;--accent:#0b57d0;
--good:#0d5c2a;--good-ground:#e8f5ec;--warn:#6b4700;--warn-ground:#fdf3dd;--bad:#8f1d17;--bad-ground:#fdecea}
@media screen and (prefers-color-scheme:dark){:root{--text:#e6e7ea;--quiet:#a9adb6;--ground:#16181b;--line:#3b3e45;--accent:#a8c7fa;
--good:#9fe0b4;--good-ground:#12301d;--warn:#f2d08a;--warn-ground:#33280c;--bad:#f7b9b3;--bad-ground:#3b1715}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:46rem;padding:1rem 1.25rem 3rem;background:var(--ground);color:var(--text);font:1rem/1.55 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.25rem;margin:1rem 0}
h2{font-size:1.15rem;margin:2.5rem 0 .75rem;line-height:1.3}
h3{font-size:1rem;margin:1.25rem 0 .25rem}
p{margin:.35rem 0;max-width:72ch}
ul{margin:.35rem 0;padding-left:1.25rem}
a{color:var(--accent)}
code{font:.875em/1.5 ui-monospace,monospace;unicode-bidi:isolate}
strong,h1,h2,h3,th{font-weight:650}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.quiet,footer,figcaption{color:var(--quiet);font-size:.9rem}
.verdict{border-left:.5rem solid;padding:1rem 1.25rem;margin:1rem 0}
.verdict h2{font-size:1.6rem;margin:.25rem 0 .5rem;color:inherit}
.verdict .word{letter-spacing:.06em;font-weight:650;margin:0}
.verdict .subject{font-size:.9rem;margin-top:.75rem}
.verdict .file{unicode-bidi:isolate}
.good.verdict{background:var(--good-ground);color:var(--good)}
.warn.verdict{background:var(--warn-ground);color:var(--warn)}
.bad.verdict{background:var(--bad-ground);color:var(--bad)}
.mark.good,.pass{color:var(--good)}.mark.warn,.cannot_evaluate{color:var(--warn)}.mark.bad,.fail{color:var(--bad)}.mark.none{color:var(--quiet)}
.ladder,.problems{list-style:none;padding:0}
.ladder li{display:grid;grid-template-columns:1.75rem 1fr;padding:.35rem 0}
.ladder .mark{font-size:1.2rem;line-height:1.35}
.ladder p{margin:0}
.problems li{border-top:1px solid var(--line);padding:.5rem 0}
.problems li:target,.problems li:focus{outline:3px solid var(--accent);outline-offset:4px}
dl{display:grid;grid-template-columns:minmax(7rem,auto) 1fr;gap:.25rem 1rem;margin:.5rem 0}
dt{color:var(--quiet)}dd{margin:0}
table{border-collapse:collapse;width:100%;font-size:.9rem}
th,td{text-align:left;vertical-align:top;padding:.4rem .75rem .4rem 0;border-bottom:1px solid var(--line)}
th p{font-weight:400;margin:0}
#events th,#events td{overflow-wrap:normal;white-space:nowrap}#events td:nth-child(3){white-space:normal;min-width:9rem;overflow-wrap:anywhere}
td.number{text-align:right;padding-right:0;font-variant-numeric:tabular-nums}
td.pass,td.fail,td.not_checked,td.cannot_evaluate{white-space:nowrap}
.scroll{overflow-x:auto}
.chain{margin:1rem 0}
.chain svg{display:block;min-width:32rem;width:100%;height:auto}
.chain text{font:13px system-ui,sans-serif;fill:var(--text)}
.chain .lane,.chain .beside{fill:var(--quiet)}.chain .inside{text-anchor:middle}
.chain rect{fill:none;stroke:var(--quiet);stroke-width:1.5}
.chain rect.checkpoints{stroke-width:2.5}
.chain path{fill:none;stroke:var(--quiet);stroke-width:2}
.chain .absent{stroke-dasharray:2 4}
.chain .cross,.chain .broken{stroke:var(--bad);stroke-width:3}
.chain .spot rect{stroke:var(--bad)}
.compared{font-size:.9rem}
@media(max-width:36rem){dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.5rem}.verdict{padding:.75rem 1rem}.verdict h2{font-size:1.3rem}}
@media print{:root{color-scheme:light;--text:#000;--quiet:#333;--ground:#fff}body{max-width:none;padding:0;font-size:10pt}
.scroll{overflow:visible}#events th,#events td{white-space:normal;padding-right:.4rem}
section{break-inside:auto}h2,h3{break-after:avoid}.problems li,tr,figure{break-inside:avoid}.verdict{border:2px solid;border-left-width:.5rem}}
`;
