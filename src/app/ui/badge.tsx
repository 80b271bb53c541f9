import type { ReactNode } from 'react'

const TONES = {
  neutral: 'border-line bg-hover text-muted',
  accent: 'border-accent/30 bg-accent/10 text-accent',
  warning: 'border-medium/35 bg-medium/10 text-medium',
  danger: 'border-critical/35 bg-critical/10 text-critical',
} as const

type BadgeProps = { tone?: keyof typeof TONES; children: ReactNode }

/** A short label that is no button. */
export function Badge({ tone = 'neutral', children }: BadgeProps) {
  return (
    <span
      className={`inline-flex h-5 max-w-full items-center rounded-sm border px-1.5 font-medium text-2xs ${TONES[tone]}`}
    >
      <span className="min-w-0 truncate">{children}</span>
    </span>
  )
}
