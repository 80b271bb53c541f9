import { Icon, type IconName } from './icon.tsx'
import { changePreferences, THEMES, type Theme, usePreferences } from './preferences.ts'

const CHOICES: Record<Theme, { label: string; icon: IconName }> = {
  system: { label: 'System', icon: 'monitor' },
  light: { label: 'Light', icon: 'sun' },
  dark: { label: 'Dark', icon: 'moon' },
}

export function ThemeChoice() {
  const { theme: chosen } = usePreferences()
  return (
    <fieldset className="grid grid-cols-3 gap-0.5 rounded-md bg-hover p-0.5">
      <legend className="sr-only">Theme</legend>
      {THEMES.map((theme) => (
        <label
          key={theme}
          className="flex h-7 cursor-pointer items-center justify-center gap-1.5 rounded-sm font-medium text-muted text-xs has-checked:bg-surface has-checked:text-ink has-checked:shadow-raised has-focus-visible:outline-2 has-focus-visible:outline-accent max-sm:h-9"
        >
          <input
            type="radio"
            name="theme"
            value={theme}
            checked={theme === chosen}
            onChange={() => changePreferences({ theme })}
            className="sr-only"
          />
          <Icon name={CHOICES[theme].icon} className="size-3.5" />
          {CHOICES[theme].label}
        </label>
      ))}
    </fieldset>
  )
}
