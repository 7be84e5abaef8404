import { t } from '@lingui/core/macro'

/** A grey shape of the size of what is coming, so that nothing moves when it arrives. Sizes are in pixels. */
export function Skeleton({
  width,
  height = 16,
  round = false,
}: {
  width?: number | string
  height?: number
  round?: boolean
}) {
  return (
    <span
      aria-hidden
      style={{ width: width ?? '100%', height }}
      className={`relative block max-w-full overflow-hidden bg-sunken forced-colors:border ${round ? 'rounded-full' : 'rounded-chip'}`}
    >
      <span className="absolute inset-0 animate-shimmer bg-linear-to-r from-transparent via-border to-transparent motion-reduce:hidden" />
    </span>
  )
}

/** Says that something loads to those who do not see the shapes. */
export function LoadingText({ text = t`Loading` }: { text?: string }) {
  return (
    <span role="status" className="sr-only">
      {text}
    </span>
  )
}
