/** The closed table of the BFF's routes, in Hono's grammar, and what each answers: all that a page can ask. */
export const ENDPOINTS = {
  'GET /bff/sign-in/options': 'Whether this browser is signed in, and which ways in there are',
  'POST /bff/sign-in': 'The session that email address and password open',
  'POST /bff/sign-in/link': 'The session that a sign-in link opens, once',
  'POST /bff/sign-in/password-link': 'The session of an account whose password a link has set, once',
  'POST /bff/sign-in/second-step': 'The session that a second factor opens after the password',
  'POST /bff/sign-in/second-step/passkey': 'What the browser asks a passkey by, after the password',
  'POST /bff/sign-in/sso': "The address of the provider's page, for single sign-on",
  'POST /bff/sign-in/sso/finish':
    'The session of whom the provider knows, or the one that has linked its account',
  'POST /bff/sign-out':
    "Where the provider's own session is ended, if anywhere: this one has ended, or all of the account",
  'GET /bff/session': 'Who is signed in; null for nobody',

  'GET /bff/overview': 'What is new since the last visit; counts of 24 hours, 7 days and a period; rankings',
  'GET /bff/threats':
    'A page of threats by filter, newest first or as sorted and grouped, with their total and facets',
  'GET /bff/new-threats': 'How many threats by filter are new since a change of the change log',
  'GET /bff/threats/:id': 'One threat with all that its records hold',
  'GET /bff/threats/:id/stored': 'One threat as stored from its list, free; null where nothing is stored',
  'GET /bff/threats/:id/related': 'Threats of the same actor, organisation and country',
  'GET /bff/threats/:id/profiles': 'Which profiles match a threat, and why the others do not',
  'GET /bff/threats/:id/evidence/:index': 'A picture, drawn anew as WebP',
  'GET /bff/facets/:name': 'The values of one filter with their counts, beside the other filters',
  'GET /bff/groups/:name': 'The groups of a list with their counts, in its order',
  'GET /bff/conditions': 'How many threats each filter, and each part of the search, matches alone',
  'GET /bff/full-text-searches':
    'The words of a search that can be sent to the vendor, and what it found when they were sent last',
  'POST /bff/full-text-searches': 'The same, once a page of the vendor is stored: at most one call',
  'GET /bff/trends': 'Counts of a period by filter, by day, week or month, and of the period before',
  'GET /bff/actors': 'Actors with their counts',
  'GET /bff/actors/:name': "One actor with its days, countries and industries, and the vendor's own entry",
  'GET /bff/countries': 'Countries with their counts',
  'GET /bff/countries/:code': "One country with its days, and the vendor's own figures",
  'GET /bff/metrics': "The vendor's figures of the account",
  'GET /bff/shift':
    'What happened since a moment: new, closed and overdue cases, open ones by owner, comments',
  'POST /bff/shift-visits':
    "When the reader opened the shift page in the visit before, or this morning's 06:00",
  'GET /bff/team-figures': 'What the team did with cases in a period, how fast, and what is open now',

  'GET /bff/alerts': 'Alert profiles with their matches of each day',
  'POST /bff/alerts': 'The profile that the vendor has created',
  'POST /bff/alerts/test': 'Where the ledger has the outcome of a message that tries a destination',
  'POST /bff/alerts/:id/test': 'The same for each destination of a profile',
  'POST /bff/alerts/:id/destinations/:destination/test': 'The same for one destination of a profile',
  'PUT /bff/alerts/:id': 'Nothing: the profile is changed, paused or resumed, where the vendor lets Lantern',
  'DELETE /bff/alerts/:id': 'Nothing: the profile is deleted, where the vendor lets Lantern',
  'GET /bff/alerts/health': 'Whether messages reach people: problems, and destinations with their health',
  'GET /bff/alerts/:id/matches': 'The threats that a profile matches',

  'POST /bff/triage/states': 'What was done with the threats that are named',
  'GET /bff/triage/:id/history': 'What was done with a threat, and by whom, newest first',
  'GET /bff/triage/owners': 'Who can own a case: id and name of analysts and admins',
  'POST /bff/triage': 'The threats that an action has changed, and how to undo it',
  'POST /bff/triage/undo': 'The threats that have changed back',

  'GET /bff/threats/:id/case':
    'The claims of one victim that a threat belongs to, likely ones, and if claims are still compared',
  'POST /bff/cases': 'How to undo it: claims are joined to one case, taken out of theirs, or kept apart',
  'POST /bff/cases/preview':
    'The cases of some threats, which could be joined to one, with their numbers of claims',
  'POST /bff/cases/undo': 'Nothing more to undo: the claims belong together as before',
  'GET /bff/due-times': 'After how many hours a case is due, by severity; null for never',
  'PUT /bff/due-times': 'The same as changed',

  'GET /bff/views': "Saved views: one's own and the team's",
  'POST /bff/views': 'The view as saved',
  'GET /bff/feed-addresses': 'Views that can be read without a session, and whose they are',
  'PUT /bff/views/default': 'Nothing: a view is the one that the feed opens with, or none is',
  'PUT /bff/views/:id': 'The view as changed',
  'DELETE /bff/views/:id': 'Nothing: the view is gone',
  'POST /bff/views/:id/feed': "The view's new secret Atom address, once",
  'DELETE /bff/views/:id/feed': 'Nothing: the Atom address is void',
  'GET /bff/lists': "Lists of names: one's own and the team's, with what matches them",
  'POST /bff/lists': 'The list as made, with all its entries or none',
  'GET /bff/lists/:id': 'One list',
  'PUT /bff/lists/:id': 'The list as changed',
  'DELETE /bff/lists/:id': 'Nothing: the list is gone',
  'GET /bff/lists/:id/entries': 'A page of the entries of a list, with how many threats match each',
  'POST /bff/lists/:id/entries': 'How many entries were added: all that are new, or none',
  'PUT /bff/lists/:id/entries/:entryId': 'Nothing: the entry is changed',
  'DELETE /bff/lists/:id/entries/:entryId': 'Nothing: the entry is gone',
  'GET /bff/lists/:id/matches': 'A page of the threats that entries of a list match, and why',
  'PUT /bff/lists/:id/decisions': 'Nothing: a match is confirmed, rejected, or undecided again',
  'GET /bff/alert-profiles':
    "Alert profiles that run in Lantern: one's own, the team's and those that notify oneself, with their recipients",
  'GET /bff/alert-profiles/users':
    'Who may be notified or mentioned: id and name of users; addresses only of those with the same name',
  'POST /bff/alert-profiles': 'The profile as saved, with the secrets of its webhooks, once',
  'POST /bff/alert-profiles/backtest': 'What a search would have matched, and narrower ones',
  'PUT /bff/alert-profiles/:id': 'The profile as changed, with the secrets of new webhooks, once',
  'DELETE /bff/alert-profiles/:id': 'Nothing: the profile is deleted',
  'POST /bff/alert-profiles/:id/prove':
    'Where the ledger has the newest matching record, sent to each destination of a profile as a marked test',
  'DELETE /bff/alert-profiles/:id/recipients/me': 'Nothing: the profile does not notify this user any more',
  'POST /bff/alert-profiles/:id/recipients/:recipient/test': 'Where the ledger will say how a test went',
  'POST /bff/alert-profiles/:id/recipients/:recipient/secret':
    'The profile, with the new signing secret of a webhook, once',
  'GET /bff/alert-profiles/:id/mutes': 'Victims and actors of which a profile does not notify',
  'POST /bff/alert-profiles/:id/mutes': 'The mute of a victim or an actor, with its end',
  'DELETE /bff/alert-profiles/:id/mutes/:mute': 'Nothing: the mute is removed',
  'POST /bff/unsubscriptions': 'Nothing: the alert profiles of a message do not notify its address any more',
  'GET /bff/deliveries': 'Messages to users and to addresses outside, newest first, and how they went',
  'GET /bff/deliveries/:id': 'One message with every attempt',
  'POST /bff/deliveries/:id/resend': 'The same, on its way once more',
  'GET /bff/threats/:id/deliveries': 'Messages sent about a threat',
  'GET /bff/inbox': 'What the bell shows: matches, notices and failures, newest first',
  'POST /bff/inbox/read': 'The same, after all entries up to a moment or single ones are marked as read',
  'GET /bff/feeds/:fileName': 'The Atom feed of a secret address',
  'GET /bff/exports/threats': 'All threats by filter, sorted and grouped as requested, one NDJSON line each',
  'GET /bff/exports/deliveries': 'All messages by filter, as CSV or NDJSON',
  'GET /bff/live': 'Events of what has changed (`text/event-stream`)',

  'GET /bff/history-loads': 'Times of the past that people load, and what can be loaded of a time',
  'POST /bff/history-loads': 'The load that has begun, or is under way for this time',
  'DELETE /bff/history-loads/:id': 'Nothing: the load is stopped, and what it read stays',
  'GET /bff/source': 'State of the vendor, of its calls and of the stored threats',
  'GET /bff/calls': 'The newest calls, and the calls of each hour of today',
  'GET /bff/keys': "The vendor's keys without the keys",
  'PUT /bff/keys/:set': 'The same, once a new key has been tried and sealed',
  'DELETE /bff/keys/:set': "The same, once the settings' key is gone",
  'GET /bff/service-keys': "The keys of Lantern's own service, without the keys",
  'POST /bff/service-keys': 'A new key of the service, the only time',
  'DELETE /bff/service-keys/:id': 'Nothing: the key has ended',

  'GET /bff/profile': "The reader's own account and preferences",
  'PUT /bff/profile': 'The same as changed',
  'PUT /bff/profile/password': 'Nothing: the password is another, and other sessions have ended',
  'POST /bff/profile/sso': "The address of the provider's page, to link the account",
  'DELETE /bff/profile/sso': 'Nothing: the account is linked no more',
  'POST /bff/proof': 'Nothing: the reader has proven to be there, for the next 10 minutes',
  'POST /bff/proof/passkey': 'What the browser asks a passkey by, for such a proof',
  'GET /bff/factors': "The reader's own second factors",
  'POST /bff/factors/totp': 'A secret for an authenticator app, which counts once a code was sent',
  'PUT /bff/factors/totp': 'The factors, and recovery codes with the first of them, once',
  'DELETE /bff/factors/totp': 'The factors without the app',
  'POST /bff/factors/passkeys/options': 'What the browser makes a passkey by',
  'POST /bff/factors/passkeys':
    'The factors with the passkey, and recovery codes with the first of them, once',
  'PUT /bff/factors/passkeys/:id': 'The factors with the passkey under another name',
  'DELETE /bff/factors/passkeys/:id': 'The factors without the passkey',
  'POST /bff/factors/recovery-codes': 'Ten new recovery codes, once; the ones before are void',
  'GET /bff/sessions': 'The browsers in which the reader is signed in',
  'DELETE /bff/sessions/:id': 'The same, without the one that has ended',
  'POST /bff/sessions/end-others': 'The one that asks: all others have ended',
  'GET /bff/users': 'Accounts with their roles',
  'POST /bff/users': 'A new account with the link to set its password',
  'PUT /bff/users/:id': 'The account as changed',
  'POST /bff/users/:id/link': 'The account with a new link to set its password',
  'POST /bff/users/:id/reset-factors': 'The account without second factors; its sessions have ended',
  'POST /bff/users/:id/sign-out': 'The account, whose sessions have all ended',
  'GET /bff/audit': 'A page of audit events by filter, newest first',
  'GET /bff/audit/export': 'All audit events by filter, as CSV or JSON',
} as const

export type Endpoint = keyof typeof ENDPOINTS

type SplitEndpoint<Of> = Of extends `${infer Method} ${infer Path}` ? { method: Method; path: Path } : never
/** A method and a path that go together. */
export type EndpointAddress = SplitEndpoint<Endpoint>

export type BffMethod = EndpointAddress['method']

type Fill<Path extends string> = Path extends `${infer Head}/:${infer Rest}`
  ? Rest extends `${string}/${infer Tail}`
    ? `${Head}/${string}${Fill<`/${Tail}`>}`
    : `${Head}/${string}`
  : Path
/** The paths of a method without `/bff/`, with any text for a parameter. */
export type BffPath<Method extends BffMethod> = Extract<
  EndpointAddress,
  { method: Method }
>['path'] extends infer Path
  ? Path extends `/bff/${infer Rest}`
    ? Fill<Rest>
    : never
  : never

/** The first word of every query key, which names the requested resource. */
export type QueryNoun = EndpointAddress['path'] extends infer Path
  ? Path extends `/bff/${infer Noun}/${string}`
    ? Noun
    : Path extends `/bff/${infer Noun}`
      ? Noun
      : never
  : never
