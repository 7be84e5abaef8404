export type TruncatedNameProps = { readonly name: string }

/** A name that may be longer than its place: in a table as wide as its column turns out, which it does not widen. */
export function TruncatedName({ name }: TruncatedNameProps) {
  return (
    <span title={name} className="block truncate max-sm:max-w-[min(14rem,100%)] sm:w-0 sm:min-w-full">
      {name}
    </span>
  )
}
