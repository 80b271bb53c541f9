import { timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'
import { findPendingStep } from '#bff/accounts/sign-in/second-step.ts'
import { visitorOf } from '#bff/accounts/sign-in/welcome.ts'
import { takeWelcome } from '#bff/accounts/users/profile-queries.ts'
import { cookieNames, endedHintCookie, formCookie } from '#bff/http/cookies.ts'
import { type FirstFiles, findFirstFiles } from '#bff/http/first-files.ts'
import { formPageHeaders } from '#bff/http/guards/response-headers.ts'
import { type Markup, renderDocument, STYLE_HASH } from '#bff/http/page-document.ts'
import type { FormRequest, PageRequest, PageRoute } from '#bff/http/page-route.ts'
import { secondsUntil } from '#bff/http/problem-error.ts'
import type { ReaderSession, SessionLookup } from '#bff/http/route.ts'
import { createToken } from '#bff/http/token.ts'
import { factorProofSchema } from '#contract/bff/factor.ts'
import { readOwnPath } from '#contract/bff/own-path.ts'
import { type Problem, problemSchema } from '#contract/bff/problem.ts'
import { credentialsSchema, sessionSchema } from '#contract/bff/session.ts'
import { signInStepSchema } from '#contract/bff/sign-in-step.ts'
import { ssoStartedSchema } from '#contract/bff/single-sign-on.ts'
import { passwordSchema } from '#contract/bff/user.ts'
import type { Database } from '#database/database.ts'
import { mayBeSignedIn } from './lead-away.ts'
import {
  credentialsForms,
  type Fault,
  type FormFrame,
  goOn,
  linkingFailed,
  MISSING,
  newPasswordForm,
  type Offer,
  secondStepForms,
  ssoArrivalForm,
  ssoDeparture,
  withEndedNote,
} from './sign-in-forms.ts'
import { addressOf, ENROL_PATH, HOME, readReturn, type SignInReturn } from './sign-in-return.ts'

export type SignInPageDependencies = {
  sessions: SessionLookup
  database: Database
  isHttps: boolean
  offer: Offer
  firstFiles: FirstFiles
}

const PATH = '/sign-in'
const SCRIPTS = ['/sign-in.js']
/** The app's page that a first sign-in leads to, unless the person was going somewhere else. */
const WELCOME = '/welcome'
const SSO_ANSWER = ['state', 'code', 'iss', 'error'] as const
/** A signed flow has room for this much. */
const SSO_RETURN_MAX_LENGTH = 2_048
const LINK = /(?:^|#)(link|password)=([A-Za-z0-9_-]{43})$/

const TOKEN = /^[A-Za-z0-9_-]{43}$/

type Page = {
  heading: string
  content: Markup
  status?: number
  leadsTo?: string
  retryAt?: string | undefined
}

/**
 * Sign-in as plain HTML, which stands at once on a slow line and needs no script. It decides nothing: what is posted to it
 * goes on to the same routes that a script may use, as does what they answer.
 */
export function signInPage(deps: SignInPageDependencies): PageRoute {
  const { sessions, database, isHttps, offer, firstFiles } = deps
  const names = cookieNames(isHttps)
  const headers = formPageHeaders(STYLE_HASH)

  async function show(
    { search }: PageRequest,
    { status = 200, retryAt, ...page }: Page,
    setCookies: readonly string[] = [],
  ) {
    const [path = HOME] = (readReturn(search).redirect ?? HOME).split(/[?#]/)
    const response = new Response(
      await renderDocument({
        title: 'Sign in',
        ...page,
        scripts: SCRIPTS,
        prefetch: findFirstFiles(firstFiles, path),
      }),
      {
        status,
        headers: { ...headers, 'content-type': 'text/html; charset=utf-8' },
      },
    )
    if (status === 401) response.headers.set('www-authenticate', 'Lantern')
    if (retryAt !== undefined) response.headers.set('retry-after', String(secondsUntil(retryAt)))
    for (const cookie of setCookies) response.headers.append('set-cookie', cookie)
    return response
  }

  /** Returns no session while the database does not answer: the form is shown, and posting it reports the fault. */
  async function findSession(request: PageRequest): Promise<ReaderSession | null> {
    const { sessionToken } = visitorOf(request, isHttps)
    return sessionToken ? sessions.find(sessionToken, { isBackground: true }).catch(() => null) : null
  }

  /** Nobody is while the database does not answer: the overview offers the welcome page later. */
  const isNewcomer = (accountId: string) => takeWelcome(database, accountId).catch(() => false)

  const findStep = (request: PageRequest) =>
    findPendingStep(database, visitorOf(request, isHttps)).catch(() => null)

  function frameOf(request: PageRequest, back: SignInReturn) {
    const kept = request.cookie(names.form) ?? ''
    const token = TOKEN.test(kept) ? kept : createToken()
    const setCookies = token === kept ? [] : [formCookie(isHttps, token)]
    return { frame: { action: addressOf(back), token }, setCookies }
  }

  /** Returns the form of the next step: a second factor, or email and password. */
  async function nextForm(
    request: PageRequest,
    frame: FormFrame,
    { fault = {}, email = '', isAnew = false }: { fault?: Fault; email?: string; isAnew?: boolean } = {},
  ): Promise<Page> {
    const back = readReturn(request.search)
    const step = isAnew ? null : await findStep(request)
    if (!step) {
      const content = credentialsForms(frame, offer, { email, fault })
      return { heading: 'Sign in to Lantern', content }
    }
    const ways = {
      code: addressOf(back),
      recoveryCode: addressOf(back, { by: 'recovery' }),
      again: addressOf(back, { begin: 'again' }),
    }
    const way = step.hasTotp && request.search.get('by') !== 'recovery' ? 'code' : 'recoveryCode'
    return {
      heading: 'Confirm that it is you',
      content: secondStepForms(frame, step, { way, ways, fault }),
    }
  }

  async function showFault(request: FormRequest, fault: Fault, status = 400): Promise<Response> {
    const { frame, setCookies } = frameOf(request, readReturn(request.search))
    const retry = { retryAt: fault.retryAt, status }
    const linkToken = request.form.get('link') ?? ''
    if (request.form.get('step') === 'new-password' && fault.fields?.password !== undefined) {
      const content = newPasswordForm(frame, linkToken, fault)
      return show(request, { heading: 'Choose a password', content, ...retry }, setCookies)
    }
    // Linking an account failed: its session goes on.
    if (request.form.get('step') === 'sso-finish' && (await findSession(request))) {
      return show(request, { heading: 'Not linked', content: linkingFailed(fault), ...retry }, setCookies)
    }
    const email = request.form.get('email')?.trim() ?? ''
    const isAnew = ['password', 'sso', 'sso-finish', 'link', 'new-password'].includes(
      request.form.get('step') ?? '',
    )
    return show(
      request,
      { ...(await nextForm(request, frame, { fault, email, isAnew })), ...retry },
      setCookies,
    )
  }

  /** Answers a form after its route: redirects, shows the next step, or shows the form again with its faults. */
  async function conclude(request: FormRequest, answer: Response): Promise<Response> {
    const back = readReturn(request.search)
    const answered: unknown = await answer.json()
    const setCookies = answer.headers.getSetCookie()
    const session = answeredSchema.safeParse(answered)
    if (answer.ok && session.success) {
      const { user, step, redirect } = session.data
      if (step?.kind === 'enrol') return lead(addressOf(back, {}, ENROL_PATH), setCookies)
      if (step) return lead(addressOf(back), setCookies)
      const isAnother = back.userId !== undefined && back.userId !== user?.id
      const wanted = redirect ? readOwnPath(redirect) : isAnother ? null : back.redirect
      const isBare = (wanted ?? HOME) === HOME
      return lead(isBare && user && (await isNewcomer(user.id)) ? WELCOME : (wanted ?? HOME), setCookies)
    }
    return showFault(request, faultOf(problemSchema.parse(answered)), answer.status)
  }

  const actions: Readonly<Record<string, (request: FormRequest) => Promise<Response>>> = {
    async password(request) {
      const typed = { email: request.form.get('email')?.trim(), password: request.form.get('password') }
      const credentials = credentialsSchema.safeParse(typed)
      if (credentials.success) return conclude(request, await request.post('/bff/sign-in', credentials.data))
      const faulty = new Set(credentials.error.issues.map(({ path }) => path[0]))
      const fields = {
        ...(faulty.has('email') && { email: MISSING.email }),
        ...(faulty.has('password') && { password: MISSING.password }),
      }
      return showFault(request, { fields })
    },
    code: (request) => finishStep(request, 'code', /^\s*(\d\s*){6}$/),
    recoveryCode: (request) => finishStep(request, 'recoveryCode', /\S/),
    async passkey(request) {
      const proof = factorProofSchema.safeParse({ passkey: parseJson(request.form.get('passkey') ?? '') })
      if (!proof.success) return showFault(request, UNREADABLE_PASSKEY)
      return conclude(request, await request.post('/bff/sign-in/second-step', proof.data))
    },
    async link(request) {
      const [, kind, token = ''] = LINK.exec(request.form.get('link')?.trim() ?? '') ?? []
      if (kind === undefined) return showFault(request, { fields: { link: MISSING.link } })
      if (kind === 'link') return conclude(request, await request.post('/bff/sign-in/link', { token }))
      if (!offer.hasPasswordSignIn) return showFault(request, NO_PASSWORDS, 404)
      const { frame, setCookies } = frameOf(request, readReturn(request.search))
      return show(
        request,
        { heading: 'Choose a password', content: newPasswordForm(frame, token) },
        setCookies,
      )
    },
    async 'new-password'(request) {
      const password = passwordSchema.safeParse(request.form.get('password'))
      const token = request.form.get('link')
      if (password.success) {
        const body = { token, password: password.data }
        return conclude(request, await request.post('/bff/sign-in/password-link', body))
      }
      return showFault(request, { fields: { password: password.error.issues[0]?.message ?? '' } })
    },
    async sso(request) {
      const { redirect } = readReturn(request.search)
      const body = redirect && redirect.length <= SSO_RETURN_MAX_LENGTH ? { redirect } : {}
      const answer = await request.post('/bff/sign-in/sso', body)
      if (!answer.ok) return conclude(request, answer)
      const { url } = ssoStartedSchema.parse(await answer.json())
      const page = { heading: 'Sign in to Lantern', content: ssoDeparture(url), leadsTo: url }
      return show(request, page, answer.headers.getSetCookie())
    },
    async 'sso-finish'(request) {
      return conclude(request, await request.post('/bff/sign-in/sso/finish', ssoAnswerOf(request.form)))
    },
  }

  async function finishStep(request: FormRequest, name: 'code' | 'recoveryCode', pattern: RegExp) {
    const text = request.form.get(name) ?? ''
    if (!pattern.test(text)) return showFault(request, { fields: { [name]: MISSING[name] } })
    return conclude(request, await request.post('/bff/sign-in/second-step', { [name]: text }))
  }

  return {
    path: PATH,
    async get(request) {
      const { search } = request
      const back = readReturn(search)
      const { frame, setCookies } = frameOf(request, back)
      if (search.get('state')) {
        const content = ssoArrivalForm(frame, ssoAnswerOf(search))
        return show(request, { heading: 'Sign in to Lantern', content }, setCookies)
      }
      const session = await findSession(request)
      if (session?.mustEnrol) return lead(addressOf(back, {}, ENROL_PATH), setCookies)
      if (session || mayBeSignedIn(request, names.hint)) {
        const content = goOn(frame, back.redirect ?? HOME)
        return show(request, { heading: 'Sign in to Lantern', content }, setCookies)
      }
      const isAnew = search.get('begin') === 'again'
      const { content, heading } = await nextForm(request, frame, { isAnew })
      const page = { heading, content: back.isSessionEnded ? withEndedNote(content) : content }
      const isHinted = request.cookie(names.hint) !== null
      return show(request, page, isHinted ? [...setCookies, endedHintCookie(isHttps)] : setCookies)
    },
    async post(request) {
      const [kept, sent] = [request.cookie(names.form) ?? '', request.form.get('token') ?? '']
      const step = request.form.get('step') ?? ''
      const action = Object.hasOwn(actions, step) ? actions[step] : undefined
      if (kept === '') return showFault(request, NO_COOKIE)
      return action && isSame(kept, sent) ? action(request) : showFault(request, STALE_FORM)
    },
  }
}

const answeredSchema = z.object({
  user: z.optional(sessionSchema.shape.user),
  step: z.optional(signInStepSchema),
  redirect: z.optional(z.nullable(z.string())),
})

/** The forms show faults at these fields. */
const FIELDS: ReadonlySet<string> = new Set(['email', 'password', 'code', 'recoveryCode'])
const STALE_FORM: Fault = {
  title: 'Not sent',
  detail: 'This page had been open for long, or in another tab. Try again.',
}
const NO_COOKIE: Fault = {
  title: 'Not sent',
  detail:
    'Your browser sent no cookie with this form. Try again. If that fails, allow cookies for this address.',
}
const UNREADABLE_PASSKEY: Fault = {
  title: 'The passkey was not accepted',
  detail: 'Lantern cannot read what your browser sent. Try again, or use another way.',
}
const NO_PASSWORDS: Fault = {
  title: 'There are no passwords here any more',
  detail: 'Sign in with single sign-on.',
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function faultOf({ title, detail, retryAt, requestId, status, fields = [] }: Problem): Fault {
  const isOfField = fields.some(({ name }) => FIELDS.has(name))
  return {
    ...(!isOfField && { title, detail }),
    fields: Object.fromEntries(fields.map(({ name, reason }) => [name, reason])),
    retryAt,
    ...(status >= 500 && { requestId }),
  }
}

function ssoAnswerOf(from: URLSearchParams): Record<string, string> {
  return Object.fromEntries(
    SSO_ANSWER.flatMap((name) => {
      const value = from.get(name)
      return value ? [[name, value]] : []
    }),
  )
}

function lead(address: string, setCookies: readonly string[]): Response {
  const headers = new Headers({ location: address, 'cache-control': 'no-store' })
  for (const cookie of setCookies) headers.append('set-cookie', cookie)
  return new Response(null, { status: 303, headers })
}

function isSame(kept: string, sent: string): boolean {
  const [one, other] = [Buffer.from(kept), Buffer.from(sent)]
  return one.length > 0 && one.length === other.length && timingSafeEqual(one, other)
}
