/** What a procedure returns that has written its response's JSON itself. */
export class JsonText {
  constructor(readonly text: string) {}
}
