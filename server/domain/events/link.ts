/** Schemes for pages, mail, phones, calendars, meetings, chats and notes: what people put into the URL of an event. */
export const linkSchemes = [
  ..."http https ftp".split(" "),
  ..."mailto message mid tel sms smsto mms fax callto geo maps".split(" "),
  ..."webcal webcals calshow urn".split(" "),
  ..."facetime facetime-audio imessage sip sips h323 xmpp im irc ircs".split(" "),
  ..."zoommtg zoomus zoomphonecall msteams ms-teams lync lync15 skype webex wbx gotomeeting gmeet jitsi-meet rcvideo".split(
    " ",
  ),
  ..."slack discord whatsapp tg viber".split(" "),
  ..."evernote onenote notion obsidian bear craftdocs things omnifocus fantastical hook".split(" "),
] as const;

const linking: ReadonlySet<string> = new Set(linkSchemes);
/** Schemes followed by a script, or by a document that may contain one. */
const running = new Set(
  "javascript jscript livescript mocha vbscript data blob filesystem view-source jar mhtml".split(" "),
);

/**
 * Reports whether an application may write a text where others show a link: it has no scheme, or one of `linkSchemes`.
 */
export function isLink(text: string): boolean {
  const scheme = schemeOf(text);
  return scheme === null || linking.has(scheme);
}

/**
 * Cleans a link written by another client. Returns null if it is empty or has a scheme that a page showing it would
 * run.
 */
export function linkOf(text: string | null): string | null {
  if (text === null || text === "") return null;
  return running.has(schemeOf(text) ?? "") ? null : text;
}

/**
 * Finds a text's scheme at least as generously as browsers, which skip blanks before a scheme and line breaks and tabs
 * inside it. Other control characters are invisible to people, too.
 */
function schemeOf(text: string): string | null {
  const scheme = /^\p{Z}*([a-z][a-z\d+.-]*):/iu.exec(text.replace(/\p{C}/gu, ""))?.[1];
  return scheme?.toLowerCase() ?? null;
}
