import type { BarShapeProps, LabelProps } from 'recharts'

/** Stripes of the ground over a colour: what is under them is only a part. */
export function HatchPattern({ id }: { id: string }) {
  return (
    <defs>
      <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="2.5" height="5" fill="var(--color-surface)" opacity="0.7" />
      </pattern>
    </defs>
  )
}

/** Between the parts of a bar that are tall enough for it. */
const SEAM_PX = 1
const SEAM_FROM_PX = 4

type DayPartProps = {
  bar: BarShapeProps
  color: string
  /** The pattern over what is stored in part; absent over what is whole. */
  hatch?: string
}

/** A part of a day's bar. Plain rectangles: Recharts' own measure themselves, and there may be hundreds. */
export function DayPart({ bar: { x, y, width, height }, color, hatch }: DayPartProps) {
  if (height === 0) return null
  const seam = height > SEAM_FROM_PX ? SEAM_PX : 0
  const place = { x, y: y + seam, width, height: height - seam }
  return (
    <>
      <rect {...place} fill={color} />
      {hatch && <rect {...place} fill={`url(#${hatch})`} />}
    </>
  )
}

const LABEL_MIN_WIDTH = 72

/** Over the unknown days, where there is room for it. */
export function UnknownLabel({ viewBox }: LabelProps) {
  if (!viewBox || !('width' in viewBox) || viewBox.width < LABEL_MIN_WIDTH) return null
  const { x, y, width, height } = viewBox
  return (
    <text x={x + width / 2} y={y + height / 2} textAnchor="middle" fontSize={11} fill="var(--color-muted)">
      not available
    </text>
  )
}
