import { t } from '@lingui/core/macro'
import { X } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import type { KeyboardEvent, MouseEvent, ReactNode, RefObject, SyntheticEvent } from 'react'

import { IconButton } from '../actions/IconButton.tsx'
import { restoreFocus } from './restore-focus.ts'
import { useTextScroller } from './useTextScroller.ts'

const WIDTHS = {
  400: 'sm:max-w-[400px]',
  560: 'sm:max-w-[560px]',
  720: 'sm:max-w-[720px]',
  full: 'sm:max-w-[min(1400px,100vw-48px)]',
} as const

export type DialogProps = {
  readonly title: string
  readonly children: ReactNode
  /** Buttons, at the far end of the foot. */
  readonly foot?: ReactNode
  readonly size?: keyof typeof WIDTHS
  /** Fills a phone from the start, because what is in it grows and shrinks. */
  readonly fills?: boolean
  /** Its title is heard and not seen, and it hangs from a fixed place: what is in it may grow without moving its head. */
  readonly bare?: boolean
  /** While something is being sent or would be lost, Escape and the backdrop do nothing. */
  readonly locked?: boolean
  /** The element that gets the focus on opening; by default the first field, else the heading. */
  readonly initialFocus?: RefObject<HTMLElement | null>
  readonly onClose: () => void
}

/**
 * A modal dialog on the platform's own element; render it to open it. Focus goes in, and back out on closing. On a
 * phone it is a sheet at the bottom edge, as high as its content and at most the screen.
 */
export function Dialog(props: DialogProps) {
  const {
    title,
    children,
    foot,
    size = 560,
    fills = false,
    bare = false,
    locked = false,
    initialFocus,
    onClose,
  } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()

  useEffect(() => {
    const element = dialog.current
    const before = document.activeElement
    if (element !== null && !element.open) element.showModal()
    const field = element?.querySelector<HTMLElement>('input, select, textarea')
    const target = initialFocus?.current ?? field ?? element?.querySelector('h2')
    target?.focus()
    return () => {
      element?.close()
      restoreFocus(before)
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- opening happens once
  }, [])

  // React bubbles events of a dialog or a file field inside.
  const onCancel = (event: SyntheticEvent) => {
    if (event.target !== event.currentTarget || !event.cancelable) return
    event.preventDefault()
    if (!locked) onClose()
  }
  // At the second Escape in a row Chrome closes a dialog even when its cancel event is prevented, so the key is handled here.
  const onKeyDown = (event: KeyboardEvent) => {
    const top = event.target instanceof Element ? event.target.closest('dialog, [popover]') : null
    if (event.key !== 'Escape' || top !== event.currentTarget) return
    // The key ended the choice of a character, or something inside has used it.
    if (event.nativeEvent.isComposing || event.defaultPrevented) return
    event.preventDefault()
    if (!locked) onClose()
  }
  // It does reach it while the focus is nowhere: what the browser closed is still open here, and what asks comes above it.
  const onBrowserClose = (event: SyntheticEvent<HTMLDialogElement>) => {
    const { currentTarget: element } = event
    if (event.target !== element || element.open || !element.isConnected) return
    element.showModal()
    if (!locked) onClose()
  }
  const onPress = (event: MouseEvent<HTMLDialogElement>) => {
    if (event.target === event.currentTarget && !locked) onClose()
  }

  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={onCancel}
      onClose={onBrowserClose}
      onKeyDown={onKeyDown}
      onMouseDown={onPress}
      className={`dialog-panel mx-0 mt-auto mb-0 max-h-none w-full max-w-none rounded-t-dialog border-t border-border bg-raised text-ink shadow-dialog sm:rounded-dialog sm:border ${bare ? 'sm:mx-auto sm:mt-[12dvh] sm:mb-auto' : 'sm:m-auto'} ${fills ? 'h-dvh sm:h-fit' : 'h-fit'} ${WIDTHS[size]}`}
    >
      <div
        className={`flex max-h-[calc(100dvh-1px-env(safe-area-inset-bottom))] flex-col sm:max-h-[calc(100dvh-64px)] ${fills ? 'h-full sm:h-auto' : ''}`}
      >
        {bare ? (
          <h2 id={titleId} tabIndex={-1} className="sr-only">
            {title}
          </h2>
        ) : (
          <div className="flex items-start justify-between gap-4 px-5 pt-4 pb-1">
            <h2 id={titleId} tabIndex={-1} className="pt-1 text-h3 font-semibold">
              {title}
            </h2>
            <IconButton
              label={t`Close`}
              icon={<X aria-hidden strokeWidth={1.75} />}
              onClick={() => !locked && onClose()}
            />
          </div>
        )}
        {bare ? children : <Body titleId={titleId}>{children}</Body>}
        {foot !== undefined && (
          <div className="flex flex-wrap justify-end gap-2 border-t border-border px-5 py-4">{foot}</div>
        )}
      </div>
    </dialog>
  )
}

function Body({ titleId, children }: { titleId: string; children: ReactNode }) {
  const body = useRef<HTMLDivElement>(null)
  const isText = useTextScroller(body)
  const scroller = isText ? { tabIndex: 0, role: 'region', 'aria-labelledby': titleId } : {}
  return (
    <div ref={body} {...scroller} className="flex-1 overflow-y-auto px-5 pt-2 pb-5 outline-offset-[-2px]">
      {children}
    </div>
  )
}
