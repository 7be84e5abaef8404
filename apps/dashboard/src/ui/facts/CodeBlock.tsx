import { CopyButton } from '../actions/CopyButton.tsx'

export type CodeBlockProps = {
  /** Names the block and its copy button, as written in a sentence: "curl example". */
  readonly label: string
  readonly text: string
  /** Breaks long lines instead of scrolling them. */
  readonly wraps?: boolean
}

/** Code or data with a copy button. Long text scrolls inside the block; in a drawer the drawer scrolls instead. */
export function CodeBlock({ label, text, wraps = false }: CodeBlockProps) {
  const flow = wraps ? 'whitespace-pre-wrap break-all' : 'whitespace-pre'
  return (
    <div className="flex rounded-control border border-border bg-sunken">
      <pre
        role="group"
        aria-label={label}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long lines scroll sideways by keyboard
        tabIndex={0}
        className={`max-h-80 min-w-0 flex-1 overflow-auto in-[.drawer-panel]:max-h-none py-3 ps-3.5 pe-3.5 font-mono coarse:py-4 text-dense outline-offset-[-2px] ${flow}`}
      >
        {text}
      </pre>
      <span className="m-1 shrink-0">
        <CopyButton label={label} value={text} />
      </span>
    </div>
  )
}
