import { paper } from "@/components/ui/paper";

export const style = `${paper}
main{max-width:460px;margin:0 auto;padding:72px 20px 56px}
.mark{font:400 16px/20px "Instrument Serif",Georgia,serif;color:var(--faint);margin-bottom:32px}
.logo{display:block;max-width:220px;max-height:44px;border-radius:6px;background:var(--plate);box-shadow:0 0 0 6px var(--plate)}
.languages{display:flex;flex-wrap:wrap;gap:2px 16px;margin-top:40px;padding-top:14px;border-top:1px solid var(--hairline);font-size:13px;line-height:24px}
.languages a{color:var(--faint);text-decoration:none}
.languages a:hover{text-decoration:underline}
.languages [aria-current]{color:var(--ink);font-weight:550}
.languages+footer{margin-top:10px;padding-top:10px}
footer{display:flex;flex-wrap:wrap;gap:4px 20px;margin-top:40px;padding-top:14px;border-top:1px solid var(--hairline);font-size:13px;line-height:24px}
.by{margin-left:auto;font:400 15px/24px "Instrument Serif",Georgia,serif;color:var(--faint)}
h1 em{font-style:italic}
.lead{margin-top:12px;color:var(--faint);font-size:14px;line-height:21px}
.help{margin-top:16px;padding-left:14px;border-left:2px solid var(--hairline);font-size:14px;line-height:21px;white-space:pre-line;overflow-wrap:anywhere}
.may{list-style:none;margin:20px 0 0;padding:0;font-size:14px;line-height:20px}
.may li{display:flex;gap:10px;padding:4px 0}
.may svg{flex:none;margin-top:3px;color:var(--accent)}
.joins{margin-top:20px;padding:14px 16px;background:var(--raised);border:1px solid var(--hairline);border-left:3px solid var(--accent);border-radius:6px;font-size:14px;line-height:21px}
.joins p+p{margin-top:6px}
.joins-to{font-weight:550;font-size:16px;line-height:24px}
h2{font:550 14px/20px Inter,system-ui,sans-serif;margin:32px 0 8px}
.rows{list-style:none;margin:0;padding:0;border-top:1px solid var(--hairline)}
.rows li{border-bottom:1px solid var(--hairline)}
.rows a{display:flex;align-items:center;gap:14px;min-height:56px;padding:8px 4px;color:inherit;text-decoration:none;font-weight:550}
.rows a:hover{color:var(--accent)}
.rows svg{flex:none}
.provider{flex:none;display:grid;place-items:center;width:36px;height:36px;border-radius:6px;color:light-dark(oklch(.48 .13 var(--hue)),oklch(.82 .1 var(--hue)));background:light-dark(oklch(.95 .03 var(--hue)),oklch(.31 .05 var(--hue)))}
.google{--hue:150}
.microsoft{--hue:55}
.outlook{--hue:255}
.icloud{--hue:220}
.caldav{--hue:300}
.rows .go{margin-left:auto;color:var(--faint)}
.steps{list-style:none;counter-reset:step;margin:24px 0 0;padding:0;font-size:14px;line-height:21px;border-top:1px solid var(--hairline)}
.steps li{counter-increment:step;display:grid;grid-template-columns:28px 1fr;padding:10px 0;border-bottom:1px solid var(--hairline)}
.steps li::before{content:counter(step);font:400 20px/21px "Instrument Serif",Georgia,serif;color:var(--accent)}
form{margin-top:24px}
label{display:block;font-weight:550;font-size:14px;line-height:20px;margin-top:16px}
input{display:block;width:100%;height:44px;margin-top:6px;padding:0 12px;font:400 16px/24px Inter,system-ui,sans-serif;color:inherit;background:var(--raised);border:1px solid var(--faint);border-radius:6px}
input:focus{outline:2px solid var(--accent);outline-offset:1px;border-color:var(--accent);border-radius:6px}
input[aria-invalid]{border-color:var(--red)}
.hint{font-size:13px;line-height:18px;color:var(--faint);margin-top:6px}
.bad{display:flex;gap:8px;font-size:14px;line-height:20px;color:var(--red);margin-top:8px}
.first{margin:0 0 28px}
.bad svg{flex:none;margin-top:2px}
#form-problem{margin:0}
button,.button{display:block;width:100%;min-height:44px;margin-top:24px;padding:10px 16px;font:550 16px/24px Inter,system-ui,sans-serif;text-align:center;text-decoration:none;color:var(--on-accent);background:var(--accent);border:0;border-radius:6px;cursor:pointer}
button:not(:disabled):hover,.button:hover{background:color-mix(in oklch,var(--accent),var(--ink) 14%)}
button:focus-visible,.button:focus-visible{outline-offset:3px;border-radius:6px}
button:disabled{cursor:progress;color:var(--ink);background:var(--hairline)}
details{margin-top:28px;font-size:14px;line-height:20px;border-top:1px solid var(--hairline);border-bottom:1px solid var(--hairline)}
summary{padding:10px 0;cursor:pointer;color:var(--faint)}
details .may{margin:0 0 10px}
.ways{display:flex;flex-wrap:wrap;gap:10px 24px;margin-top:28px;font-size:14px;line-height:24px}
.text{margin-top:12px}
p,li{text-wrap:pretty}
.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
bdi{overflow-wrap:anywhere}
@media(max-width:480px){main{padding-top:40px}.mark{margin-bottom:24px}}
`;
