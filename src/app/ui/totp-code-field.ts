/** The field for the six digits of an authenticator app, wherever it is asked for. */
export const TOTP_CODE = {
  label: 'Code of your authenticator app',
  input: { inputMode: 'numeric', autoComplete: 'one-time-code', maxLength: 20 },
  /** Apps show them in groups. */
  pattern: /^\s*(\d\s*){6}$/,
  missing: 'Enter the six digits that your app shows.',
} as const
