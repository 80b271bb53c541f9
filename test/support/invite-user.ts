import type { Page } from '@playwright/test'

const PASSWORD = 'four words of a viewer'

/** Adds somebody through an admin's page. Returns the link of the invitation. */
export async function addViewer(admin: Page, email: string): Promise<string> {
  await admin.goto('/settings?tab=users')
  await admin.getByRole('button', { name: 'Add user' }).click()
  await admin.getByLabel('Email', { exact: true }).fill(email)
  await admin.getByLabel('Role', { exact: true }).selectOption({ label: 'Viewer: reads everything' })
  await admin.getByRole('button', { name: 'Add and get a link' }).click()
  return admin.getByLabel('Link', { exact: true }).inputValue()
}

/** Invites somebody through an admin's page, and lets them in by their link in a browser of their own. Answers what they sign in with. */
export async function inviteViewer(admin: Page, viewer: Page, email: string) {
  await viewer.goto(await addViewer(admin, email))
  await viewer.getByLabel('New password').fill(PASSWORD)
  await viewer.getByRole('button', { name: 'Set password and sign in' }).click()
  await viewer.waitForURL((url) => url.pathname !== '/sign-in')
  return { email, password: PASSWORD }
}
