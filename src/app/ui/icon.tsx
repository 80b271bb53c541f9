const PATHS = {
  ban: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM3.8 3.8l8.4 8.4',
  bell: 'M3 11.5h10L11.5 9.5V6.5a3.5 3.5 0 0 0-7 0v3zM6.8 13.8h2.4',
  bookmark: 'M4 2.5h8V14L8 10.8 4 14z',
  download: 'M8 2.5v8M4.5 7 8 10.5 11.5 7M2.5 13.5h11',
  mail: 'M1.5 3.5h13v9h-13zM1.5 4.5 8 9l6.5-4.5',
  'mail-open': 'M1.5 6.5 8 2l6.5 4.5v7h-13zM1.5 6.5 8 11l6.5-4.5',
  note: 'M3 2.5h10V10l-3.5 3.5H3zM5.5 6h5M5.5 8.8h3',
  star: 'm8 1.8 1.9 4 4.3.6-3.1 3 .7 4.4L8 11.7l-3.8 2.1.7-4.4-3.1-3 4.3-.6z',
  user: 'M8 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6M2.5 14a5.5 5.5 0 0 1 11 0',
  undo: 'M5.5 3.5 2.5 6.5l3 3M2.5 6.5H10a3.5 3.5 0 0 1 0 7H6.5',
  'arrow-left': 'M13 8H3.5M7.5 4l-4 4 4 4',
  alert: 'M8 2.5 14.2 13H1.8zM8 6.5v3M8 11.3v.2',
  check: 'm3 8.5 3.2 3.2L13 5',
  'chevron-down': 'm4 6.5 4 4 4-4',
  'chevron-left': 'm9.5 4-4 4 4 4',
  'chevron-right': 'm6.5 4 4 4-4 4',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.8V8l2.2 1.5',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  eye: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8zM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  filter: 'M2 4h12M4.5 8h7M6.5 12h3',
  globe:
    'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM2 8h12M8 2c2 2 2.5 4 2.5 6S10 12 8 14c-2-2-2.5-4-2.5-6S6 4 8 2z',
  image: 'M2 3h12v10H2zM2 11l3.5-3.5 3 3L10.5 8.5 14 12M5.5 6.2v.1',
  info: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 7.3v3.5M8 5v.2',
  keyboard: 'M1.5 4h13v8h-13zM4 6.5h.1M6.7 6.5h.1M9.3 6.5h.1M12 6.5h.1M5 9.5h6',
  lock: 'M3.5 7h9v6.5h-9zM5.5 7V5a2.5 2.5 0 0 1 5 0v2',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  minus: 'M3.5 8h9',
  monitor: 'M2 3h12v8H2zM5.5 13.5h5M8 11v2.5',
  moon: 'M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z',
  more: 'M3 8h.1M8 8h.1M13 8h.1',
  plus: 'M8 3.5v9M3.5 8h9',
  printer: 'M4.5 6V2h7v4M4.5 11.5h-2v-5.5h11v5.5h-2M4.5 9.5h7V14h-7z',
  refresh: 'M13.5 8A5.5 5.5 0 1 1 11.5 3.7L13.5 5.5M13.5 2.5v3h-3',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.7 10.7 14 14',
  settings:
    'M2 4.5h7M12.5 4.5H14M2 11.5h1.5M7 11.5h7M10.7 6.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4zM5.2 13.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4z',
  'sign-out': 'M6 13.5H2.5v-11H6M10 11l3-3-3-3M13 8H6',
  sun: 'M8 10.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7',
  x: 'm4 4 8 8M12 4l-8 8',
} as const

export type IconName = keyof typeof PATHS

type IconProps = { name: IconName; className?: string }

/** Decoration: the words beside it, or the label of its button, say what it means. */
export function Icon({ name, className = 'size-4' }: IconProps) {
  return (
    <svg
      viewBox="0 0 16 16"
      aria-hidden="true"
      className={`shrink-0 ${className}`}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={PATHS[name]} />
    </svg>
  )
}
