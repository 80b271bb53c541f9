/** The closed table of the BFF's routes, in Hono's grammar, and what each answers: all that a page can ask. */
export const ENDPOINTS = {
  'GET /bff/sign-in/options': 'Whether this browser is signed in, and whether there is single sign-on',
  'POST /bff/sign-in': 'The session that e-mail address and password open',
  'POST /bff/sign-in/link': 'The session that a sign-in link opens, once',
  'POST /bff/sign-in/password-link': 'The session of an account whose password a link has set, once',
  'POST /bff/sign-in/sso': "The address of the provider's page, for single sign-on",
  'POST /bff/sign-in/sso/finish': 'The session of whom the provider knows',
  'POST /bff/sign-out': 'Nothing: this session has ended, or all of the account',
  'GET /bff/session': 'Who is signed in; null for nobody',

  'GET /bff/overview': 'What is new since the last visit; counts of 24 hours, 7 and 30 days; rankings',
  'GET /bff/threats': 'A page of threats by filter, newest first, with their total and facets',
  'GET /bff/threats/:id': 'One threat with all that its records hold',
  'GET /bff/threats/:id/related': 'Threats of the same actor, organisation and country',
  'GET /bff/threats/:id/profiles': 'Which profiles match a threat, and why the others do not',
  'GET /bff/threats/:id/evidence/:index': 'A picture, drawn anew as WebP',
  'GET /bff/trends': 'Counts of 30 days by filter, and of the 30 before',
  'GET /bff/actors': 'Actors with their counts',
  'GET /bff/actors/:name': "One actor with its days, countries and industries, and the source's own entry",
  'GET /bff/countries': 'Countries with their counts',
  'GET /bff/countries/:code': "One country with its days, and the source's own figures",
  'GET /bff/metrics': "The source's figures of the account",

  'GET /bff/alerts': 'Alert profiles with their matches of each day',
  'POST /bff/alerts': 'The profile that the source has created',
  'POST /bff/alerts/backtest': 'What a draft would have caught, and a forecast',
  'GET /bff/alerts/:id/matches': 'The threats that a profile matches',

  'POST /bff/triage/states': 'What was done with the threats that are named',
  'GET /bff/triage/:id/history': 'What was done with a threat, and by whom, newest first',
  'POST /bff/triage': 'The threats that an action has changed, and how to undo it',
  'POST /bff/triage/undo': 'The threats that have changed back',

  'GET /bff/views': "Saved views: one's own and the team's",
  'POST /bff/views': 'The view as saved',
  'PUT /bff/views/default': 'Nothing: a view is the one that the feed opens with, or none is',
  'PUT /bff/views/:id': 'The view as changed',
  'DELETE /bff/views/:id': 'Nothing: the view is gone',
  'POST /bff/views/:id/feed': "The view's new secret Atom address, once",
  'DELETE /bff/views/:id/feed': 'Nothing: the Atom address is void',
  'GET /bff/feeds/:fileName': 'The Atom feed of a secret address',
  'GET /bff/exports/threats': 'All threats by filter, a line of NDJSON each',
  'GET /bff/live': 'Events of what has changed (`text/event-stream`)',

  'GET /bff/source': 'State of the source, of its calls and of the window',
  'GET /bff/calls': 'The newest calls, and the calls of each hour of today',
  'GET /bff/keys': "The source's keys without the keys",
  'PUT /bff/keys/:set': 'The same, once a new key has been tried and sealed',
  'DELETE /bff/keys/:set': "The same, once the settings' key is gone",
  'GET /bff/service-keys': "The keys of Lantern's own service, without the keys",
  'POST /bff/service-keys': 'A new key of the service, the only time',
  'DELETE /bff/service-keys/:id': 'Nothing: the key has ended',

  'GET /bff/profile': "The reader's own account and preferences",
  'PUT /bff/profile': 'The same as changed',
  'PUT /bff/profile/password': 'Nothing: the password is another, and other sessions have ended',
  'GET /bff/users': 'Accounts with their roles',
  'POST /bff/users': 'A new account with the link to set its password',
  'PUT /bff/users/:id': 'The account as changed',
  'POST /bff/users/:id/link': 'The account with a new link to set its password',
  'POST /bff/users/:id/sign-out': 'The account, whose sessions have all ended',
  'GET /bff/audit': 'A page of audit events by filter, newest first',
  'GET /bff/audit/export': 'All audit events by filter, as CSV or JSON',
} as const

export type Endpoint = keyof typeof ENDPOINTS

type SplitEndpoint<Of> = Of extends `${infer Method} ${infer Path}` ? { method: Method; path: Path } : never
/** A method and a path that go together. */
export type EndpointAddress = SplitEndpoint<Endpoint>

export type BffMethod = EndpointAddress['method']

type Fill<Path extends string> = Path extends `${infer Head}/:${string}/${infer Tail}`
  ? `${Head}/${string}/${Fill<Tail>}`
  : Path extends `${infer Head}/:${string}`
    ? `${Head}/${string}`
    : Path
/** What can be asked with a method: its paths without `/bff/`, with any text for a parameter. */
export type BffPath<Method extends BffMethod> = Extract<
  EndpointAddress,
  { method: Method }
>['path'] extends infer Path
  ? Path extends `/bff/${infer Asked}`
    ? Fill<Asked>
    : never
  : never

/** The first word of every query key: what the BFF is asked about. */
export type QueryNoun = EndpointAddress['path'] extends infer Path
  ? Path extends `/bff/${infer Noun}/${string}`
    ? Noun
    : Path extends `/bff/${infer Noun}`
      ? Noun
      : never
  : never
