/// How a page looks: in light and dark, on a phone and in print.
let pageStyle = """
  :root{color-scheme:light dark;--bg:#f6f7f9;--card:#fff;--text:#1c2128;--soft:#59636e;--line:#d8dee4;--accent:#0b6e99;
  --add:#1a7f37;--add-bg:#e6f6ea;--change:#8a5a00;--change-bg:#fff5d6;--remove:#c4232e;--remove-bg:#fdecec;
  --drift:#7a3fd1;--drift-bg:#f2eafd;--code:#eef1f4}
  @media (prefers-color-scheme:dark){:root{--bg:#0e1116;--card:#171b22;--text:#e6eaef;--soft:#9aa5b1;--line:#2e353e;
  --accent:#5cbde6;--add:#5fd07a;--add-bg:#12301b;--change:#e5b54a;--change-bg:#33290d;--remove:#ff8a84;
  --remove-bg:#3d1719;--drift:#c5a3ff;--drift-bg:#2a1d45;--code:#222831}}
  *{box-sizing:border-box}
  html{scroll-padding-top:4.5rem}
  body{margin:0;background:var(--bg);color:var(--text);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,
  "Noto Sans","Noto Sans CJK SC","WenQuanYi Micro Hei",sans-serif;overflow-wrap:anywhere}
  a{color:var(--accent)}
  :focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
  .skip{position:absolute;left:-99rem}
  .skip:focus{left:1rem;top:1rem;background:var(--card);padding:.5rem 1rem;z-index:9}
  .sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
  header,main,footer{max-width:72rem;margin:0 auto;padding:0 1.25rem}
  header{padding-top:2rem}
  h1{font-size:1.6rem;line-height:1.2;margin:0 0 .4rem;display:flex;flex-wrap:wrap;gap:.6rem;align-items:center}
  h2{font-size:1.15rem;margin:0 0 .8rem}
  h3{font-size:1rem;margin:0 0 .4rem}figure+h3,figure+figure{margin-top:1.2rem}
  code,pre,.place{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.86em}
  pre{margin:.4rem 0 0;padding:.6rem .8rem;background:var(--code);border-radius:6px;white-space:pre-wrap}
  .way{margin:.6rem 0 0!important;color:var(--soft);font-size:.88rem}.way+pre{margin-top:.15rem}
  .lead{font-size:1.05rem;margin:0 0 .5rem}
  .soft,.place{color:var(--soft)}
  .badge{font-size:.8rem;font-weight:600;padding:.15rem .7rem;border-radius:99px;background:var(--add-bg);color:var(--add)}
  .badge.bad{background:var(--remove-bg);color:var(--remove)}
  .badge.news{background:var(--change-bg);color:var(--change)}
  nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:.3rem 1.1rem;margin:.6rem 0 0;padding:0}
  section{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:1.1rem 1.25rem;margin:1.1rem 0}
  .tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(8rem,1fr));gap:.8rem;margin:1.2rem 0;padding:0}
  .tile:only-child{max-width:14rem}
  .tile{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:.7rem 1rem;display:flex;
  flex-direction:column}
  .tile dd.number{order:-1}
  .tile dt{color:var(--soft);font-size:.88rem}
  .tile dd{margin:0;font-size:1.9rem;line-height:1.15;font-weight:650;font-variant-numeric:tabular-nums}
  .tile dd.note{font-size:.8rem;font-weight:400;color:var(--soft);line-height:1.4}.note b{font-weight:600}
  .tile.zero .number{color:var(--soft);font-weight:400}
  .add{color:var(--add)}.change{color:var(--change)}.remove,.blocked{color:var(--remove)}.drift{color:var(--drift)}
  .card{border:1px solid var(--line);border-left:4px solid var(--remove);border-radius:6px;padding:.7rem 1rem;
  margin:.7rem 0}
  .card p{margin:0}.card.warn{border-left-color:var(--change)}
  .card .place{display:block;margin-top:.15rem}.card p.soft{margin-top:.5rem}
  mark{background:var(--remove-bg);color:inherit;border-bottom:2px solid var(--remove)}
  .two{display:grid;grid-template-columns:repeat(auto-fit,minmax(18rem,1fr));gap:1.2rem}
  .plain{list-style:none;margin:0;padding:0}
  .plain li{padding:.35rem 0;border-top:1px solid var(--line)}
  .plain li:first-child{border-top:0}.plain .place{display:block}
  header p{margin:.2rem 0}
  .chip{display:inline-block;font-size:.8rem;padding:.05rem .5rem;border-radius:99px;background:var(--code);
  white-space:nowrap;font-variant-numeric:tabular-nums}
  .chip.add{background:var(--add-bg)}.chip.change{background:var(--change-bg)}
  .chip.remove,.chip.blocked{background:var(--remove-bg)}.chip.drift{background:var(--drift-bg)}
  details{border-top:1px solid var(--line)}
  summary{cursor:pointer;padding:.5rem .25rem;display:flex;flex-wrap:wrap;gap:.2rem .6rem;align-items:baseline}
  summary::before{content:"▸";color:var(--soft);width:.8em}
  details[open]>summary::before{content:"▾"}
  summary::-webkit-details-marker{display:none}
  summary b{font-weight:600}
  table{border-collapse:collapse;width:100%;font-size:.92rem}
  caption{text-align:left;color:var(--soft);padding:.2rem 0 .4rem}
  th{text-align:left;font-weight:600;color:var(--soft);font-size:.82rem}
  th,td{padding:.32rem .7rem .32rem .25rem;border-top:1px solid var(--line);vertical-align:top}
  thead th{border-top:0}
  td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
  .changes{table-layout:fixed}
  .changes th:nth-child(1){width:1.8rem}.changes th:nth-child(2){width:25%}.changes th:nth-child(5){width:22%}
  .changes th:nth-child(6){width:17%}
  .sign{font-weight:700;font-family:ui-monospace,Menlo,Consolas,monospace}
  td.was{color:var(--soft)}
  tr.is-blocked td{background:var(--remove-bg)}
  .bars td:nth-child(1){width:26%}.bars .picture{width:46%;vertical-align:middle}
  svg{display:block;width:100%}
  .bar{height:1.35rem}.bar.one{height:.8rem}
  .b0{fill:var(--soft);opacity:.45}.b1{fill:var(--accent)}
  .line{height:4.5rem;border-bottom:1px solid var(--line)}
  figure{margin:0}figcaption{color:var(--soft);margin-bottom:.4rem}figcaption h2,figcaption h3{color:var(--text);margin-bottom:.3rem}
  .ends{display:flex;justify-content:space-between;color:var(--soft);font-size:.82rem}
  .timeline{list-style:none;margin:.6rem 0 0;padding:0 0 0 1.1rem;border-left:2px solid var(--line)}
  .timeline>li{position:relative;margin:0 0 .8rem}
  .timeline>li::before{content:"";position:absolute;left:-1.5rem;top:.45rem;width:.65rem;height:.65rem;
  border-radius:50%;background:var(--accent);border:2px solid var(--card)}
  .timeline time{font-weight:600}
  .tools{position:sticky;top:0;z-index:5;display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;background:var(--card);
  padding:.6rem 0;border-bottom:1px solid var(--line)}
  .tools[hidden]{display:none}
  .tools input,.tools select,.tools button{font:inherit;color:inherit;background:var(--bg);border:1px solid var(--line);
  border-radius:6px;padding:.35rem .6rem}
  .tools input{flex:1 1 12rem;min-width:0}
  .tools button{cursor:pointer}
  footer{color:var(--soft);font-size:.85rem;padding-bottom:2.5rem}
  [hidden]{display:none!important}
  @media (max-width:44rem){
  body{font-size:16px}header,main,footer{padding-left:.8rem;padding-right:.8rem}
  section{padding:.9rem .8rem}
  .tiles{grid-template-columns:repeat(3,1fr);gap:.5rem}.tile{padding:.5rem .7rem}.tile dd{font-size:1.45rem}
  .stack thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
  .stack,.stack tbody,.stack tr,.stack td{display:block}
  .stack tr{position:relative;padding:.45rem .2rem .45rem 1.7rem;border-top:1px solid var(--line)}
  .stack td{border:0;padding:.05rem 0}.stack td:empty{display:none}
  .stack td[data-label]::before{content:attr(data-label) " ";color:var(--soft);font-size:.85em}
  .stack td.sign{position:absolute;left:.3rem}
  .stack td.n{text-align:left}
  .bars thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
  .bars,.bars tbody{display:block}
  .bars tr{display:grid;grid-template-columns:repeat(3,1fr);padding:.45rem 0;border-top:1px solid var(--line)}
  .bars td{border:0;padding:.05rem 0}.bars td:nth-child(1),.bars .picture{grid-column:1/-1;width:auto}
  .bars td.n{text-align:left}.bars td[data-label]::before{content:attr(data-label) " ";color:var(--soft);font-size:.85em}}
  @media print{
  :root{color-scheme:light;--bg:#fff;--card:#fff;--text:#000;--soft:#444;--line:#bbb;--accent:#0b6e99;--add:#1a7f37;
  --add-bg:#fff;--change:#8a5a00;--change-bg:#fff;--remove:#c4232e;--remove-bg:#fff;--drift:#7a3fd1;--drift-bg:#fff;
  --code:#f3f3f3}
  body{font-size:10pt}.tools,nav,.skip{display:none}
  header,main,footer{max-width:none;padding:0}section{border:0;padding:0;border-radius:0}
  .tiles{grid-template-columns:repeat(6,1fr);gap:.4rem}.tile dd{font-size:1.3rem}
  .card,.plain li,tr{break-inside:avoid}h2,h3,summary,figcaption,thead{break-after:avoid}
  svg,.chip,.badge{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
  """
