import { t } from '@lingui/core/macro'
import { useLocation } from '@tanstack/react-router'
import { PanelLeftClose, PanelLeftOpen } from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'

import { useIsNarrow, useIsRoomy } from '../../../lib/device/media.ts'
import { useStored, writeStored } from '../../../lib/device/stored.ts'
import { IconButton } from '../../../ui/actions/IconButton.tsx'
import { lazyPart } from '../../../ui/overlays/lazy-load.ts'
import { Logo } from '../../layouts/Logo.tsx'
import { ProjectSelector } from './ProjectSelector.tsx'
import { SidebarMenu } from './SidebarMenu.tsx'

const STORED = 'sidebar'

/** It stands below the menu, once the server has said who may read it. */
const SidebarFoot = lazyPart(async () => ({ default: (await import('./SidebarFoot.tsx')).SidebarFoot }))

/**
 * The menu: up to 260 px wide, or a strip of icons. The choice is kept on this device; until one was made, there is a
 * strip where a full menu would crowd out the page. On a narrow screen the strip stays and the menu opens over the page, closing when the path changes.
 */
export function Sidebar() {
  const isNarrow = useIsNarrow()
  const isRoomy = useIsRoomy()
  const choice = useStored(STORED)
  const isCollapsed = isNarrow || (choice === undefined ? !isRoomy : choice === 'collapsed')
  const [isPanelOpen, setPanelOpen] = useState(false)
  const pathname = useLocation({ select: (location) => location.pathname })

  useEffect(() => setPanelOpen(false), [pathname, isNarrow])

  const toggle = () => {
    if (isNarrow) setPanelOpen(!isPanelOpen)
    else writeStored(STORED, isCollapsed ? 'expanded' : 'collapsed')
  }
  return (
    <>
      <aside
        className={`sticky top-0 z-30 flex h-dvh shrink-0 flex-col border-e pb-[env(safe-area-inset-bottom)] border-border bg-surface ${isCollapsed ? 'w-12 sm:w-16' : 'w-[16.25rem]'}`}
      >
        <Content isCollapsed={isCollapsed} onToggle={toggle} />
      </aside>
      {isPanelOpen && <Panel onClose={() => setPanelOpen(false)} />}
    </>
  )
}

function Content({ isCollapsed, onToggle }: { isCollapsed: boolean; onToggle: () => void }) {
  const ToggleIcon = isCollapsed ? PanelLeftOpen : PanelLeftClose
  return (
    <>
      <div
        className={`flex shrink-0 items-center ${isCollapsed ? 'flex-col gap-1 pt-3' : 'h-14 justify-between ps-4 pe-2'}`}
      >
        <Logo markOnly={isCollapsed} />
        <IconButton
          label={isCollapsed ? t`Expand menu` : t`Collapse menu`}
          expanded={!isCollapsed}
          icon={<ToggleIcon aria-hidden strokeWidth={1.75} className="rtl:-scale-x-100" />}
          onClick={onToggle}
        />
      </div>
      <div className={isCollapsed ? 'flex justify-center px-1 py-2' : 'px-3 pt-1 pb-3'}>
        <ProjectSelector isCollapsed={isCollapsed} />
      </div>
      <nav
        id="menu"
        tabIndex={-1}
        aria-label={t({ message: 'Main', context: 'menu' })}
        className={`flex-1 overflow-y-auto overscroll-contain pb-4 ${isCollapsed ? 'px-1 sm:px-2.5' : 'px-3'}`}
      >
        <SidebarMenu isCollapsed={isCollapsed} />
      </nav>
      <Suspense>
        <SidebarFoot isCollapsed={isCollapsed} />
      </Suspense>
    </>
  )
}

/** The menu over the page, on narrow screens: Escape and a press beside it close it. */
function Panel({ onClose }: { onClose: () => void }) {
  const panel = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = panel.current
    if (element !== null && !element.open) element.showModal()
    return () => element?.close()
  }, [])
  return (
    <dialog
      ref={panel}
      aria-label={t`Menu`}
      onClose={onClose}
      onMouseDown={(event) => event.target === event.currentTarget && onClose()}
      className="sidebar-panel m-0 h-dvh max-h-none w-[16.25rem] max-w-[calc(100vw-48px)] bg-surface text-ink shadow-dialog"
    >
      <div className="flex h-full flex-col">
        <Content isCollapsed={false} onToggle={onClose} />
      </div>
    </dialog>
  )
}
