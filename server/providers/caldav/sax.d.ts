/** What is used of sax, which brings no types of its own. */
declare module "sax" {
  export interface Parser {
    onerror: (error: Error) => void;
    onopentagstart: (tag: { name: string; attributes: Record<string, string> }) => void;
    onattribute: (attribute: { name: string; value: string }) => void;
    onopentag: (tag: { name: string; attributes: Record<string, string> }) => void;
    onclosetag: (name: string) => void;
    ontext: (text: string) => void;
    oncdata: (text: string) => void;
    write(piece: string): Parser;
    close(): Parser;
  }
  const sax: { parser(strict: boolean, options?: { position?: boolean }): Parser };
  export default sax;
}
