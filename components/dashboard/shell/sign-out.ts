/** Ends the session. The response redirects to the sign-in page. */
export function signOut(): void {
  const form = document.createElement("form");
  form.method = "post";
  form.action = "/api/auth/signout";
  document.body.append(form);
  form.submit();
}
