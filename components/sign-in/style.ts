import { paper } from "@/components/ui/paper";

export const style = `${paper}
main{max-width:380px;margin:0 auto;padding:96px 20px 56px}
.lead{margin-top:8px;color:var(--faint);font-size:14px;line-height:21px}
.said{margin-top:24px;font-size:14px;line-height:20px;text-wrap:pretty}
.bad{display:flex;gap:8px;color:var(--red)}
.bad svg{flex:none;margin-top:2px}
form{margin-top:24px}
label{display:block;font-weight:550;font-size:14px;line-height:20px;margin-top:16px}
input{display:block;width:100%;height:44px;margin-top:6px;padding:0 12px;font:400 16px/24px Inter,system-ui,sans-serif;color:inherit;background:var(--raised);border:1px solid var(--faint);border-radius:6px}
input:focus{outline:2px solid var(--accent);outline-offset:1px;border-color:var(--accent);border-radius:6px}
.hint{margin-top:6px;color:var(--faint);font-size:13px;line-height:20px}
.fault{margin-top:6px;color:var(--red);font-size:13px;line-height:20px}
.or{margin-top:28px;padding-top:28px;border-top:1px solid var(--hairline);font-size:14px;line-height:20px;color:var(--faint)}
input[aria-invalid]{border-color:var(--red)}
button{display:block;width:100%;min-height:44px;margin-top:24px;padding:10px 16px;font:550 16px/24px Inter,system-ui,sans-serif;color:var(--on-accent);background:var(--accent);border:0;border-radius:6px;cursor:pointer}
button:hover{background:color-mix(in oklch,var(--accent),var(--ink) 14%)}
button:focus-visible{outline-offset:3px;border-radius:6px}
.qr{display:block;margin:16px 0;border-radius:6px}
.key{color:var(--ink)}
.codes{margin:24px 0 0;padding:16px;list-style:none;background:var(--raised);border:1px solid var(--hairline);border-radius:6px}
.issuer{margin-top:28px;padding-top:4px;border-top:1px solid var(--hairline)}
.quiet{color:inherit;background:transparent;border:1px solid var(--faint)}
.quiet:hover{background:var(--raised)}
@media(max-width:480px){main{padding-top:48px}}
`;
