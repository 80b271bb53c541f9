import { IconButton } from '#app/ui/icon-button.tsx'

type FeedHeadingProps = { onShowKeys(): void }

export function FeedHeading({ onShowKeys }: FeedHeadingProps) {
  return (
    <div className="flex items-center justify-between gap-4">
      <h1 className="font-semibold text-xl tracking-tight">Threats</h1>
      <IconButton icon="keyboard" label="Keys of this page" aria-haspopup="dialog" onClick={onShowKeys} />
    </div>
  )
}
