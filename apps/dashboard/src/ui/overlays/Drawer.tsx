import { t } from '@lingui/core/macro'
import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { useEffect, useId, useMemo, useRef } from 'react'
import type { KeyboardEvent, MouseEvent, ReactNode, SyntheticEvent } from 'react'

import { useShortcuts } from '../../lib/device/shortcuts.ts'
import { IconButton } from '../actions/IconButton.tsx'
import { restoreFocus } from './restore-focus.ts'

/** From this width on the list beside the drawer stays usable. */
const BESIDE_FROM_PX = 1200

const WIDTHS = { 480: 'md:max-w-[480px]', 640: 'md:max-w-[640px]', 800: 'md:max-w-[800px]' } as const

/** Here Escape is not the drawer's: in a field, which may use it, in a panel, and inside a dialog, which hears it itself. */
const NOT_FROM = 'dialog, [popover], input, textarea, select'

export type DrawerProps = {
  readonly title: ReactNode
  readonly children: ReactNode
  readonly width?: keyof typeof WIDTHS
  /** Content beside the title, such as a badge. */
  readonly aside?: ReactNode
  readonly foot?: ReactNode
  /** To the row before and after, when the list behind has them; the keys of the list, `k` and `j`, go there too. */
  readonly onPrevious?: (() => void) | undefined
  readonly onNext?: (() => void) | undefined
  readonly onClose: () => void
}

/**
 * A side panel; render it while its key stands in the address, so that Back closes it. Full screen below 900, modal
 * below 1200, beside the list from there on.
 */
export function Drawer({ title, children, width = 640, aside, foot, onPrevious, onNext, onClose }: DrawerProps) {
  const drawer = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const keys = useMemo(
    () => ({ ...(onPrevious && { k: onPrevious, ',': onPrevious }), ...(onNext && { j: onNext, '.': onNext }) }),
    [onPrevious, onNext],
  )
  useShortcuts(keys, drawer)
  useEscapeBeside(onClose)

  useEffect(() => {
    const element = drawer.current
    const before = document.activeElement
    if (element !== null && !element.open) {
      if (window.innerWidth >= BESIDE_FROM_PX) element.show()
      else element.showModal()
    }
    element?.querySelector('h2')?.focus()
    return () => {
      element?.close()
      restoreFocus(before)
    }
  }, [])

  // React bubbles events of a dialog inside, which closes alone.
  const onCancel = (event: SyntheticEvent) => {
    if (event.target !== event.currentTarget) return
    event.preventDefault()
    onClose()
  }
  // A modal dialog turns Escape into a cancel event itself; beside the list it must be heard here.
  // A menu or a dialog above the drawer closes first, and alone.
  const onKeyDown = (event: KeyboardEvent) => {
    const top = event.target instanceof Element ? event.target.closest('dialog, [popover]') : null
    // The key ended the choice of a character, or something inside has used it.
    if (event.nativeEvent.isComposing || event.defaultPrevented) return
    if (event.key === 'Escape' && top === drawer.current && !top?.matches(':modal')) onClose()
  }
  const onPress = (event: MouseEvent<HTMLDialogElement>) => {
    if (event.target === event.currentTarget) onClose()
  }

  return (
    <dialog
      ref={drawer}
      data-drawer
      aria-labelledby={titleId}
      onCancel={onCancel}
      onKeyDown={onKeyDown}
      onMouseDown={onPress}
      className={`drawer-panel fixed inset-y-0 start-auto end-0 z-30 m-0 h-dvh max-h-none w-full max-w-none border-s border-border bg-raised text-ink shadow-dialog ${WIDTHS[width]}`}
    >
      <div className="flex h-full flex-col">
        <div data-toasts-below className="flex flex-wrap items-center gap-x-2 border-b border-border py-3 ps-5 pe-3">
          <h2 id={titleId} tabIndex={-1} className="w-0 min-w-0 flex-1 truncate text-h3 font-semibold">
            {title}
          </h2>
          {Boolean(aside) && <div className="max-sm:order-last max-sm:w-full">{aside}</div>}
          {onPrevious !== undefined && (
            <IconButton label={t`Previous`} icon={<ChevronUp aria-hidden />} onClick={onPrevious} />
          )}
          {onNext !== undefined && <IconButton label={t`Next`} icon={<ChevronDown aria-hidden />} onClick={onNext} />}
          <IconButton label={t`Close`} icon={<X aria-hidden />} onClick={onClose} />
        </div>
        <div className="flex-1 overflow-y-auto p-5">{children}</div>
        {foot !== undefined && (
          <div className="flex flex-wrap justify-end gap-2 border-t border-border px-5 py-4 empty:hidden">{foot}</div>
        )}
      </div>
    </dialog>
  )
}

/** Closes the drawer by Escape from the list beside it, unless a dialog lies above both. */
function useEscapeBeside(onClose: () => void): void {
  useEffect(() => {
    const onEscape = (event: globalThis.KeyboardEvent) => {
      const { target, key, isComposing, defaultPrevented } = event
      if (key !== 'Escape' || isComposing || defaultPrevented || !(target instanceof Element)) return
      if (target.closest(NOT_FROM) === null && document.querySelector('dialog:modal') === null) onClose()
    }
    document.addEventListener('keydown', onEscape)
    return () => document.removeEventListener('keydown', onEscape)
  }, [onClose])
}
