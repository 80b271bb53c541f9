/** The field for the six digits of an authenticator app, for every form that has one. */
export const TOTP_CODE = {
  label: 'Code of your authenticator app',
  input: { inputMode: 'numeric', autoComplete: 'one-time-code', maxLength: 20 },
  /** Apps show them in groups. */
  pattern: /^\s*(\d\s*){6}$/,
  missing: 'Enter the six digits that your app shows.',
} as const
