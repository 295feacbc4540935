/** Of pages, mail, phones, calendars, meetings, chats and notes: what people put into the URL of an event. */
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
/** What follows is a script, or a document that may have one. */
const running = new Set(
  "javascript jscript livescript mocha vbscript data blob filesystem view-source jar mhtml".split(" "),
);

/** Whether an application may write the text where others show a link: it has no scheme, or one of `linkSchemes`. */
export function isLink(text: string): boolean {
  const scheme = schemeOf(text);
  return scheme === null || linking.has(scheme);
}

/** What another client has written as a link. Null: nothing, or a scheme that a page which shows it would run. */
export function linkOf(text: string | null): string | null {
  if (text === null || text === "") return null;
  return running.has(schemeOf(text) ?? "") ? null : text;
}

/**
 * Read at least as generously as browsers do, which skip blanks in front of a scheme, and line breaks and tabs within it. Other control
 * characters nobody sees either.
 */
function schemeOf(text: string): string | null {
  const scheme = /^\p{Z}*([a-z][a-z\d+.-]*):/iu.exec(text.replace(/\p{C}/gu, ""))?.[1];
  return scheme?.toLowerCase() ?? null;
}
