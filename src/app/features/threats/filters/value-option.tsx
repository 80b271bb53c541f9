import type { ReactNode } from 'react'
import { count } from '#app/format/count.ts'
import { Icon } from '#app/ui/icon.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { Offer } from './offer-values.ts'

const LABEL_MAX_LENGTH = 80

type OptionProps = {
  id: string
  /** The keys are at it. */
  isActive: boolean
  /** False while the counts are of what is stored so far. */
  isWhole: boolean
  onPress(): void
}

/** A value with its count. */
export function ValueOption({
  offer,
  isOff,
  isWhole,
  ...option
}: OptionProps & { offer: Offer; isOff: boolean }) {
  const { label, count: times, isChosen } = offer
  return (
    <Row {...option} isChosen={isChosen} isOff={isOff}>
      <span className="min-w-0 flex-1 truncate">
        <Untrusted text={label} maxLength={LABEL_MAX_LENGTH} clip="silent" isRaw />
      </span>
      {times !== undefined && (
        <span className="shrink-0 text-faint text-xs tabular-nums">
          {' '}
          {count(times)}
          {!isWhole && ' so far'}
        </span>
      )}
    </Row>
  )
}

/** Marks a text that is no value of any threat before it filters. */
export function UnheldOption({ value, isWhole, ...option }: OptionProps & { value: string }) {
  return (
    <Row {...option} isChosen={false} isOff={false}>
      <span className="min-w-0 flex-1 py-1.5 leading-snug">
        Filter by “
        <Untrusted text={value} maxLength={LABEL_MAX_LENGTH} clip="silent" isRaw />
        ”: <span className="text-medium">no threat stored {isWhole ? 'here' : 'here so far'}</span> that the
        other filters match has it
      </span>
    </Row>
  )
}

type RowProps = Omit<OptionProps, 'isWhole'> & { isChosen: boolean; isOff: boolean; children: ReactNode }

function Row({ id, isActive, isChosen, isOff, onPress, children }: RowProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field with the focus has the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, by aria-activedescendant
    <div
      id={id}
      ref={isActive ? keepInView : undefined}
      role="option"
      aria-selected={isChosen}
      aria-disabled={isOff || undefined}
      data-active={isActive || undefined}
      onClick={onPress}
      className="flex min-h-8 cursor-pointer items-center gap-2 rounded-md px-2 hover:bg-hover aria-disabled:cursor-not-allowed aria-disabled:text-faint data-active:bg-pressed max-sm:min-h-11"
    >
      <span
        aria-hidden="true"
        className={`grid size-4 shrink-0 place-items-center rounded-sm border ${isChosen ? 'border-accent bg-accent text-on-accent' : 'border-edge'}`}
      >
        {isChosen && <Icon name="check" className="size-3" />}
      </span>
      {children}
    </div>
  )
}

function keepInView(option: HTMLElement | null) {
  option?.scrollIntoView({ block: 'nearest' })
}
