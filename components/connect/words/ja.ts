import type { Words } from "@/components/connect/words/words";

export const ja: Words = {
  chooseTitle: "カレンダーを接続",
  wouldLike: "{app} がカレンダーの使用を求めています",
  may: ["カレンダーとその予定を見る", "空いている時間と予定のある時間を見る", "予定を追加、変更、削除し、人を招待する"],
  where: "お使いのカレンダーを選んでください",
  nothingOffered: "ここではまだどのカレンダーも接続できません。{app} の運営者にお知らせください。",
  cancel: "キャンセルして {app} に戻る",
  signInTitle: "iCloudカレンダーを接続",
  signInLead:
    "Appleでは、ほかのサービス専用のパスワードを作れます。カレンダーを開くためのもので、いつでも取り消せます。普段のパスワードを伝える必要はありません。",
  steps: [
    "{link} を開いてサインインします。",
    "「サインインとセキュリティ」で「アプリ用パスワード」を選びます。",
    "{app} という名前で作成し、ここにコピーします。",
  ],
  newTab: "新しいタブで開きます",
  username: "Apple Accountのメールアドレス",
  password: "アプリ用パスワード",
  passwordHint: "例: abcd-efgh-ijkl-mnop",
  connect: "接続する",
  mayTitle: "{app} ができること",
  otherCalendar: "別のカレンダーを使う",
  noUsername: "Apple Accountのメールアドレスを入力してください。",
  noPassword: "アプリ用パスワードを入力してください。",
  wrongPassword:
    "Appleがこのメールアドレスとパスワードを受け付けませんでした。普段のサインインに使うパスワードではなく、アプリ用パスワードを入力してください。",
  noCalendars:
    "このアカウントにはカレンダーがありません。カレンダーアプリで作成するか、別のアカウントをお使いください。",
  down: "iCloudから応答がありません。まだ何も接続されていません。数分後にもう一度お試しください。",
  tooMany: "試した回数が多すぎます。1分ほど待ってから、もう一度お試しください。",
  goBack: "{app} に戻る",
  staleTitle: "このページは期限が切れました",
  stale: "安全のため、開いたブラウザーで30分間だけ使えます。まだ何も接続されていません。",
  staleCookies: "もう一度この画面が出るときは、このサイトのCookieを許可してください。",
  again: "最初からやり直す",
  unusableTitle: "このリンクは使えません",
  unusable: {
    client: "アクセス元のアプリケーションは登録されていません。",
    redirect_uri: "アクセス元のアプリケーションが、登録されていない戻り先を指定しています。",
    repeated: "アクセス元のアプリケーションが、同じ項目を2回指定しています。",
    form: "届いた内容を読み取れませんでした。",
  },
  nothingConnected:
    "まだ何も接続されていません。戻ってもう一度お試しください。解決しないときは、アプリケーションの運営者にお知らせください。",
  failedTitle: "こちらで問題が発生しました",
  failed: "失われたものはありません。数分後にもう一度お試しください。",
  failedNumber: "解決しないときは、この番号が原因を調べる手がかりになります:",
};
