import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/settings/')({ component: SettingsPage })

function SettingsPage() {
  return <h1 className="font-semibold text-xl">Settings</h1>
}
