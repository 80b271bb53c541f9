import { html } from 'hono/html'
import type { Markup } from '#bff/http/page-document.ts'
import type { Problem } from '#contract/bff/problem.ts'
import type { SignInStep } from '#contract/bff/sign-in-step.ts'
import { PASSWORD_MIN_LENGTH } from '#contract/bff/user.ts'

/** Each form of the page has an address to post to, and the token that the page's cookie repeats. */
export type FormFrame = {
  action: string
  token: string
}
/** The available sign-in methods. */
export type Offer = { hasPasswordSignIn: boolean; hasSingleSignOn: boolean }
/** The faults of a form: of the whole form, and by field. */
export type Fault = Partial<Pick<Problem, 'title' | 'detail' | 'retryAt' | 'requestId'>> & {
  fields?: Readonly<Record<string, string>>
}

export const MISSING = {
  email: 'Enter the email address of your account.',
  password: 'Enter your password.',
  newPassword: `Use ${PASSWORD_MIN_LENGTH} characters or more.`,
  code: 'Enter the six digits that your app shows.',
  recoveryCode: 'Enter one of the codes that you were given when you set up your second factor.',
  link: 'Paste the whole link.',
} as const

/** Email and password, single sign-on, or both. */
export function credentialsForms(
  frame: FormFrame,
  { hasPasswordSignIn, hasSingleSignOn }: Offer,
  { email = '', fault = {} }: { email?: string; fault?: Fault } = {},
): Markup {
  const isTyped = email !== '' && fault.fields?.email === undefined
  return html`<div class="card">
${alert(fault)}
${
  hasPasswordSignIn &&
  html`<form method="post" action="${frame.action}" novalidate>${hidden(frame, 'password')}
${field({ label: 'Email', name: 'email', type: 'email', autocomplete: 'username', value: email, missing: MISSING.email, hasFocus: !isTyped, fault })}
${field({ label: 'Password', name: 'password', type: 'password', autocomplete: 'current-password', missing: MISSING.password, hasFocus: isTyped, fault })}
<button class="primary">Sign in</button></form>`
}
${hasPasswordSignIn && hasSingleSignOn && html`<p class="or" aria-hidden="true">or</p>`}
${
  hasSingleSignOn &&
  html`<form method="post" action="${frame.action}">${hidden(frame, 'sso')}
<button class="${hasPasswordSignIn ? '' : 'primary'}">Sign in with single sign-on</button></form>`
}
</div>
${help({ hasPasswordSignIn, hasSingleSignOn })}${linkForm(frame, fault)}`
}

/** The page requests these after the password. */
export function secondStepForms(
  frame: FormFrame,
  { hasTotp, hasPasskeys }: SignInStep,
  { way, ways, fault = {} }: { way: 'code' | 'recoveryCode'; ways: SecondStepLinks; fault?: Fault },
): Markup {
  const isCode = way === 'code'
  return html`<div class="card">
${alert(fault)}
${
  hasPasskeys &&
  html`<form method="post" action="${frame.action}" data-passkey hidden>${hidden(frame, 'passkey')}<input type="hidden" name="passkey">
<button type="button" class="${hasTotp ? '' : 'primary'}">Use a passkey</button></form>
<noscript><p>Passkeys need JavaScript. Without it, use a recovery code${hasTotp ? ' or your app' : ''}.</p></noscript>`
}
<form method="post" action="${frame.action}" novalidate>${hidden(frame, way)}
${
  isCode
    ? field({
        label: 'Code of your authenticator app',
        name: 'code',
        autocomplete: 'one-time-code',
        inputmode: 'numeric',
        hint: 'The six digits that your app shows now.',
        missing: MISSING.code,
        hasFocus: true,
        fault,
      })
    : field({
        label: 'Recovery code',
        name: 'recoveryCode',
        autocomplete: 'off',
        hint: 'One of the codes that you stored when you set up your second factor. Each works once.',
        missing: MISSING.recoveryCode,
        hasFocus: hasTotp || !hasPasskeys,
        fault,
      })
}
<button class="${hasTotp || !hasPasskeys ? 'primary' : ''}">Continue</button></form>
<div class="others">
${isCode && html`<a href="${ways.recoveryCode}">Use a recovery code</a>`}
${!isCode && hasTotp && html`<a href="${ways.code}">Use a code of your app</a>`}
<a href="${ways.again}">Begin again</a></div>
</div>`
}
/** Addresses of the same page in another state. */
export type SecondStepLinks = { code: string; recoveryCode: string; again: string }

/** The form for people to whom an admin has sent a link. */
export function newPasswordForm(frame: FormFrame, linkToken: string, fault: Fault = {}): Markup {
  return html`<div class="card">
${alert(fault)}
<form method="post" action="${frame.action}" novalidate>${hidden(frame, 'new-password')}<input type="hidden" name="link" value="${linkToken}">
${field({
  label: 'New password',
  name: 'password',
  type: 'password',
  autocomplete: 'new-password',
  hint: `${PASSWORD_MIN_LENGTH} characters or more. Several unrelated words make a good one.`,
  missing: MISSING.newPassword,
  hasFocus: true,
  fault,
})}
<button class="primary">Set password and sign in</button></form>
</div>`
}

/** The provider has led the browser back: its answer is posted by a page of ours, whose request brings the cookies along. */
export function ssoArrivalForm(frame: FormFrame, answer: Readonly<Record<string, string>>): Markup {
  return html`<div class="card"><form method="post" action="${frame.action}" data-go>${hidden(frame, 'sso-finish')}
${Object.entries(answer).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<p role="status">Signing you in…</p><noscript><button class="primary">Continue</button></noscript></form></div>`
}

/** A page, not a redirect: browsers follow none from a form to another site that `form-action` does not name. */
export function ssoDeparture(url: string): Markup {
  return html`<div class="card"><p role="status">Your browser goes to your identity provider…</p>
<a class="button primary" href="${url}">Continue to your identity provider</a></div>`
}

/** The page for a browser that is already signed in. A link in its address is opened. */
export function goOn(frame: FormFrame, address: string): Markup {
  return html`<div class="card"><p role="status">You are signed in.</p>
<a class="button primary" href="${address}" data-go>Continue to Lantern</a></div>${linkForm(frame, {})}`
}

/** Linking an account to the provider failed: the session goes on. */
export function linkingFailed(fault: Fault): Markup {
  return html`<div class="card">${alert(fault)}
<p>You are still signed in. <a href="/settings?tab=profile">Back to your profile</a></p></div>`
}

export function withEndedNote(content: Markup): Markup {
  return html`<p role="status" class="note">Your session ended, here or in another tab. Sign in to go on where you were: drafts are kept.</p>
${content}`
}

/** Tokens of links stand behind `#`, which no server sees: a script posts them, or the person pastes the link. */
function linkForm(frame: FormFrame, { fields }: Fault): Markup {
  const fault = { fields }
  return html`<details${fields?.link === undefined ? '' : html` open`}><summary>Use a link</summary>
<form method="post" action="${frame.action}" data-link novalidate>${hidden(frame, 'link')}
${field({ label: 'Link', name: 'link', autocomplete: 'off', hint: 'The invitation or sign-in link that you were given.', missing: MISSING.link, fault })}
<button>Open link</button></form></details>`
}

/** Explains where a sign-in method comes from, for people who have none. */
function help({ hasPasswordSignIn, hasSingleSignOn }: Offer): Markup {
  return html`<details><summary>Cannot sign in?</summary><ul>
${
  hasPasswordSignIn
    ? html`<li>The first account: Lantern printed its email and password once, when it first started, unless ADMIN_EMAIL and ADMIN_PASSWORD were set.</li>
<li>All other accounts: ask an admin. In Settings, Users they can add you, or make a link to set a new password.</li>`
    : html`<li>Everybody signs in with single sign-on here. If your identity provider lets you in and Lantern does not, the message above says why.</li>
<li>Admins, while the provider does not answer: whoever runs this Lantern can make a link that signs an admin in, with the command <code>break-glass</code>.</li>`
}
${!hasSingleSignOn && html`<li>Single sign-on is not set up here. Whoever runs this Lantern can set it up: see docs/operating/single-sign-on.md.</li>`}
</ul></details>`
}

function alert({ title, detail, retryAt, requestId }: Fault): Markup | '' {
  if (title === undefined) return ''
  const seconds = retryAt === undefined ? 0 : Math.ceil((Date.parse(retryAt) - Date.now()) / 1000)
  return html`<div role="alert" class="alert"><p><b>${title}</b></p>${detail && html`<p>${detail}</p>`}
${seconds > 0 && html`<p data-until="${seconds}" aria-live="off">Try again in ${seconds} s.</p>`}
${requestId && html`<p>Request ${requestId}</p>`}</div>`
}

function hidden({ token }: FormFrame, step: string): Markup {
  return html`<input type="hidden" name="step" value="${step}"><input type="hidden" name="token" value="${token}">`
}

type Field = {
  label: string
  name: string
  type?: 'text' | 'email' | 'password'
  autocomplete: string
  inputmode?: string
  value?: string
  hint?: string
  /** The script shows this at once if nothing was typed. */
  missing: string
  hasFocus?: boolean
  fault: Fault
}

function field({ label, name, type = 'text', fault, hint, hasFocus = false, ...input }: Field): Markup {
  const reason = fault.fields?.[name]
  const note = reason ?? hint ?? ''
  return html`<div class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" autocomplete="${input.autocomplete}" value="${input.value ?? ''}" spellcheck="false"
${input.inputmode && html` inputmode="${input.inputmode}"`}${hasFocus && html` autofocus`}${reason && html` aria-invalid="true"`}
aria-describedby="${name}-note" data-missing="${input.missing}">
<small id="${name}-note" class="${reason ? 'fault' : ''}">${note}</small></div>`
}
