import { t } from '@lingui/core/macro'
import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'

import { clearTop } from './clear-top.ts'
import { currentToasts, dismissToast, onToasts } from './toast.ts'
import type { ToastEntry } from './toast.ts'

/** The specification closes a toast after this long. */
const CLOSE_AFTER_MS = 5000

/** How far toasts stand from the window's edge. */
const TOP_PX = 16

/** The places where toasts are drawn and spoken; both exist from the first paint on. */
export function Toaster() {
  const entries = useSyncExternalStore(onToasts, currentToasts)
  const panel = useRef<HTMLDivElement>(null)

  const [top, setTop] = useState(TOP_PX)

  useEffect(() => {
    // Shown again for each toast, so that it lies above a dialog opened in between.
    panel.current?.hidePopover?.()
    if (entries.length === 0) return
    panel.current?.showPopover?.()
    const place = () => setTop(topBelowControls(panel.current))
    place()
    window.addEventListener('resize', place)
    document.addEventListener('toggle', place, true)
    return () => {
      window.removeEventListener('resize', place)
      document.removeEventListener('toggle', place, true)
    }
  }, [entries])

  return (
    <div
      ref={panel}
      popover="manual"
      style={{ insetBlockStart: top }}
      className="inset-auto end-4 m-0 w-[min(360px,calc(100vw-32px))] overflow-visible bg-transparent [&:not(:popover-open)]:block [&:not(:popover-open)]:pointer-events-none"
    >
      <div role="status" aria-label={t`Notifications`} className="flex flex-col gap-2">
        {entries
          .filter(({ tone }) => tone === 'success')
          .map((entry) => (
            <Toast key={entry.id} entry={entry} />
          ))}
      </div>
      <div role="alert" aria-label={t`Errors`} className="mt-2 flex flex-col gap-2">
        {entries
          .filter(({ tone }) => tone === 'error')
          .map((entry) => (
            <Toast key={entry.id} entry={entry} />
          ))}
      </div>
    </div>
  )
}

/** Below the top bar, the head of a drawer and the buttons of an open dialog: they stay in reach. */
function topBelowControls(panel: HTMLElement | null): number {
  if (panel === null) return TOP_PX
  const dialog = [...document.querySelectorAll('dialog[open]')].at(-1)
  const heads = document.querySelectorAll('[data-toasts-below]')
  const buttons = dialog?.querySelectorAll('button') ?? []
  const { left, right, height } = panel.getBoundingClientRect()
  const boxes = [...heads, ...buttons].map((box) => box.getBoundingClientRect())
  return clearTop({ left, right, height, start: TOP_PX }, boxes)
}

function Toast({ entry }: { entry: ToastEntry }) {
  const [held, setHeld] = useState(false)
  const hidden = useSyncExternalStore(onVisibility, () => document.visibilityState === 'hidden')
  const leftMs = useRef(CLOSE_AFTER_MS)

  useEffect(() => {
    if (held || hidden) return
    const startedAt = Date.now()
    const timer = setTimeout(() => dismissToast(entry.id), leftMs.current)
    return () => {
      clearTimeout(timer)
      leftMs.current -= Date.now() - startedAt
    }
  }, [held, hidden, entry.id])

  const isError = entry.tone === 'error'
  const Icon = isError ? CircleAlert : CircleCheck
  return (
    <div
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className="flex items-start gap-2.5 rounded-card border border-border bg-raised py-3 ps-3.5 pe-2 text-body text-ink shadow-menu"
    >
      <Icon
        aria-hidden
        size={18}
        strokeWidth={1.75}
        className={`mt-px shrink-0 ${isError ? 'text-danger-solid' : 'text-success-solid'}`}
      />
      <span className="min-w-0 flex-1 break-words">{entry.text}</span>
      <button
        type="button"
        aria-label={t`Dismiss`}
        onClick={() => dismissToast(entry.id)}
        className="-my-1 inline-flex size-7 shrink-0 items-center justify-center rounded-chip text-muted hover:bg-hover hover:text-ink"
      >
        <X aria-hidden size={14} />
      </button>
    </div>
  )
}

function onVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}
