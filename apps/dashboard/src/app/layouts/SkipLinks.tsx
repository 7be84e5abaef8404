export type SkipTarget = { readonly id: string; readonly label: string }

/** The first stops of the Tab key: past the menu to the content, or straight to the menu. */
export function SkipLinks({ targets }: { targets: readonly SkipTarget[] }) {
  return (
    <div className="fixed start-3 top-3 z-50 flex gap-2 not-focus-within:sr-only">
      {targets.map(({ id, label }) => (
        <a
          key={id}
          href={`#${id}`}
          onClick={(event) => {
            event.preventDefault()
            document.getElementById(id)?.focus()
          }}
          className="rounded-control bg-tooltip px-3 py-2 text-body font-medium text-on-tooltip"
        >
          {label}
        </a>
      ))}
    </div>
  )
}
