/** The mark of the product, a till drawer open on a K, and its name. */
export function Logo({ markOnly = false }: { markOnly?: boolean }) {
  return (
    <span className="inline-flex items-center gap-2.5">
      <svg aria-hidden viewBox="0 0 32 32" className="size-7 shrink-0">
        <rect width="32" height="32" rx="8" className="fill-tooltip" />
        <path
          d="M10 8v16M22 8l-8.5 8L22 24"
          fill="none"
          strokeWidth="3.2"
          strokeLinecap="round"
          strokeLinejoin="round"
          className="stroke-logo"
        />
      </svg>
      <span className={markOnly ? 'sr-only' : 'text-h3 font-semibold tracking-tight'}>Kassa</span>
    </span>
  )
}
