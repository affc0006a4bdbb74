/**
 * How a report looks: one column, system fonts, two weights, light and dark, and on paper. Colour alone says nothing.
 */
export const REPORT_STYLE = `:root{color-scheme:light dark;--text:#1b1c1f;--quiet:#55585f;--ground:#fff;--line:#d5d7dc;--accent:#0b57d0;
--good:#0d5c2a;--good-ground:#e8f5ec;--warn:#6b4700;--warn-ground:#fdf3dd;--bad:#8f1d17;--bad-ground:#fdecea}
@media screen and (prefers-color-scheme:dark){:root{--text:#e6e7ea;--quiet:#a9adb6;--ground:#16181b;--line:#3b3e45;--accent:#a8c7fa;
--good:#9fe0b4;--good-ground:#12301d;--warn:#f2d08a;--warn-ground:#33280c;--bad:#f7b9b3;--bad-ground:#3b1715}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:46rem;padding:1.5rem 1.25rem 4rem;background:var(--ground);color:var(--text);font:1.0625rem/1.55 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1rem;margin:0;line-height:1.25}
h2{font-size:1.375rem;margin:3.25rem 0 1rem;line-height:1.25}
h3{font-size:1.0625rem;margin:1.5rem 0 .5rem}
p{margin:.5rem 0}p,li,dd{max-width:38rem;text-wrap:pretty}h2{text-wrap:balance}
ul{margin:.5rem 0;padding-left:1.25rem}li{margin:.25rem 0}
a,summary{color:var(--accent)}
code{font:.875em/1.5 ui-monospace,monospace;unicode-bidi:isolate}
strong,h1,h2,h3,th{font-weight:650}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.quiet,footer,figcaption{color:var(--quiet);font-size:.9375rem}
summary{cursor:pointer;padding:.25rem 0}
summary h2{display:inline;margin-right:.75rem;font-size:1.0625rem;text-decoration:underline;text-underline-offset:.2em}
details[open]>summary{margin-bottom:1rem}
section:has(>details){margin-top:1.25rem}
section:not(:has(>details))+section:has(>details){margin-top:3.25rem}
.verdict{border-left:.625rem solid;padding:1.75rem 2rem;margin:1.5rem 0 2rem}
.verdict h2{font-size:1.875rem;line-height:1.2;margin:.75rem 0 1.25rem;color:inherit;max-width:26em}
.verdict .word{letter-spacing:.06em;font-weight:650;margin:0}
.verdict .subject{font-size:.9375rem;margin:1.25rem 0 0;max-width:none}
.verdict .file{unicode-bidi:isolate}
.good.verdict{background:var(--good-ground);color:var(--good)}
.warn.verdict{background:var(--warn-ground);color:var(--warn)}
.bad.verdict{background:var(--bad-ground);color:var(--bad)}
.mark.good,.pass{color:var(--good)}.mark.warn,.cannot_evaluate{color:var(--warn)}.mark.bad,.fail{color:var(--bad)}.mark.none{color:var(--quiet)}
.ladder,.problems{list-style:none;padding:0}
.ladder li{display:grid;grid-template-columns:2rem 1fr;margin:.875rem 0;max-width:none}
.ladder .mark{font-size:1.2rem;line-height:1.35}
.ladder p{margin:0}
.problems li{border-top:1px solid var(--line);padding:1rem 0;margin:0;max-width:none}
.problems h3{margin-top:0}
.problems li:target,.problems li:focus{outline:3px solid var(--accent);outline-offset:4px}
dl{display:grid;grid-template-columns:minmax(8rem,auto) 1fr;gap:.375rem 1.25rem;margin:.75rem 0}
dt{color:var(--quiet)}dd{margin:0}
table{border-collapse:collapse;width:100%;font-size:.9375rem}
th,td{text-align:left;vertical-align:top;padding:.625rem 1rem .625rem 0;border-bottom:1px solid var(--line)}
th:last-child,td:last-child{padding-right:0}
th p,td p{font-weight:400;margin:0}
thead th,#events td:is(:first-child,:last-child),#checks td{overflow-wrap:normal;white-space:nowrap}
#events td:nth-child(2),#events td:nth-child(3){min-width:7rem}
#checks .number,#checks thead th:last-child{text-align:right;font-variant-numeric:tabular-nums}
.payload{border-left:.25rem solid var(--line);padding-left:1rem}.payload pre{margin:.5rem 0 0;white-space:pre-wrap;unicode-bidi:isolate;font:.875em/1.5 ui-monospace,monospace}
.chain{margin:1.25rem 0}
.chain svg{display:block;overflow:visible}
.chain text{font:14px system-ui,sans-serif;fill:var(--text)}
.chain .lane{fill:var(--quiet)}.chain .inside{text-anchor:middle}
.chain rect{fill:none;stroke:var(--quiet);stroke-width:1.5}
.chain rect.checkpoints{stroke-width:2.5}
.chain rect.opened{fill:var(--quiet)}.chain .event{stroke:var(--accent);stroke-width:4}
.chain line,.chain path{stroke:var(--quiet);stroke-width:2}
.chain .absent{stroke-dasharray:2 4}
.chain .cross,.chain .broken{stroke:var(--bad);stroke-width:3}
.chain .spot rect{stroke:var(--bad);stroke-width:3}
.chain .spot .reach{fill:transparent;stroke:none}
.compared{font-size:.9375rem}#details code{font-size:.8125em}
header,footer{border:0 solid var(--line)}
header{border-bottom-width:1px;padding-bottom:.75rem}
footer{border-top-width:1px;margin-top:4rem;padding-top:.75rem}
@media(max-width:40rem){body{padding:1rem 1.25rem 3rem}h2{margin-top:2.5rem}dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.75rem}
.verdict{padding:1.25rem;margin:1.25rem 0}.verdict h2{font-size:1.5rem}
#checks tr{display:grid;grid-template-columns:1fr 4rem}#checks tbody th{grid-column:1/3;border:0;padding:.625rem 0 0}#checks thead th:first-child{display:none}
.blocks tr{display:block;padding:.625rem 0;border-bottom:1px solid var(--line)}.blocks td{display:block;border:0;padding:0}
#events tr{display:grid;grid-template-columns:1fr 1fr;gap:0 .75rem}#events tr td{white-space:normal;overflow-wrap:anywhere;min-width:0}#events td:nth-child(4){grid-column:1/3}#events td:last-child{grid-area:1/2;text-align:right}
#events .open{display:block}#events td:first-child{font-weight:650}#events td:first-child::before{content:"event "}
.blocks thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}}
#events .open td{white-space:normal;overflow-wrap:anywhere;text-align:left;font-weight:400;padding:0 0 1.5rem}#events .open td::before{content:none}
@media print{:root{color-scheme:light;--text:#000;--quiet:#333;--ground:#fff}html{font-size:9.5pt}body{max-width:none;padding:0}p,li,dd{max-width:60rem}.chain text{font-size:.875rem}td,th{padding-block:.3rem}
h2{margin-top:2rem;break-after:avoid}h3{break-after:avoid}details:not([open]){display:none}
.problems li,tr,figure,.ladder li{break-inside:avoid}.verdict{border:2px solid;border-left-width:.625rem}}
`;
