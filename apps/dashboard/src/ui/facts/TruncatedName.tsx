export type TruncatedNameProps = {
  readonly name: string
  /** In a column that does not grow: it widens that column, up to a usual name. */
  readonly widens?: boolean
}

/** A name that may be longer than its place: in a table as wide as its column turns out, which it does not widen. */
export function TruncatedName({ name, widens = false }: TruncatedNameProps) {
  const width = widens ? 'sm:max-w-56' : 'sm:w-0 sm:min-w-full'
  return (
    <span title={name} className={`block truncate max-sm:max-w-[min(14rem,100%)] ${width}`}>
      {name}
    </span>
  )
}
