import type { Permission } from '@kassa/contract/permissions.ts'
import type { MessageDescriptor } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useId, useState } from 'react'
import type { MouseEvent } from 'react'

import { attentionQuery } from '../../../api/attention.ts'
import { may, meQuery } from '../../../api/me.ts'
import { sweepTroubleQuery } from '../../../api/lazy-lists.ts'
import { useCurrentProject } from '../../../lib/navigation/current-project.ts'
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { isActive, NAVIGATION } from '../../navigation/menu.ts'
import type { NavEntry } from '../../navigation/menu.ts'
import { SidebarEntry } from './SidebarEntry.tsx'

const HEADING = 'px-2.5 pb-1.5 text-caption font-medium tracking-wide text-muted'

/** The groups of the menu that this operator may open; only one submenu is open at a time. */
export function SidebarMenu({ isCollapsed }: { isCollapsed: boolean }) {
  const pathname = useLocation({ select: (location) => location.pathname })
  const { id: projectId } = useCurrentProject()
  const { data: me, isPending } = useQuery(meQuery)
  const mayRead = (permission: Permission) => me !== undefined && may(me, permission, projectId)
  const { data: attention } = useQuery({ ...attentionQuery(projectId), enabled: mayRead('payout:read') })
  const { data: sweeps } = useQuery({ ...sweepTroubleQuery(projectId), enabled: mayRead('sweep:write') })
  const waiting: Readonly<Record<string, number>> = {
    withdraw: attention?.payouts?.count ?? 0,
    sweepin: sweeps?.rows ?? 0,
  }
  const activeSubmenu = NAVIGATION.flatMap(({ entries }) => entries).find(
    ({ id, page }) => page === undefined && isActive(id, pathname),
  )?.id
  const [openId, setOpenId] = useState(activeSubmenu)
  const [heldId, setHeldId] = useState<string>()

  useEffect(() => {
    if (activeSubmenu !== undefined) setOpenId(activeSubmenu)
  }, [activeSubmenu])

  const menuId = useId()
  const headingId = ({ id }: MessageDescriptor) => `${menuId}-${id}`
  const toggle = (id: string, { detail }: MouseEvent) => {
    // A press of the pointer; keys move nothing from under anybody.
    setHeldId(detail > 0 && openId !== undefined && isAbove(openId, id) ? openId : undefined)
    setOpenId(openId === id ? undefined : id)
  }

  if (isPending) return <LoadingMenu isCollapsed={isCollapsed} />
  const visible = (entry: NavEntry): NavEntry[] => {
    const mayOpen = (permission: NavEntry['permission']) =>
      permission === undefined || (me !== undefined && may(me, permission, projectId))
    if (entry.page !== undefined) return mayOpen(entry.permission) ? [entry] : []
    const leaves = entry.leaves.filter(({ permission }) => mayOpen(permission))
    return leaves.length === 0 ? [] : [{ ...entry, leaves }]
  }

  return (
    <div onPointerLeave={() => setHeldId(undefined)}>
      {NAVIGATION.map(({ heading, entries }) => {
        const shown = entries.flatMap(visible)
        if (shown.length === 0) return null
        return (
          <div key={heading?.id ?? ''} className={heading === undefined ? '' : 'mt-5'}>
            {heading !== undefined && (
              <h2 id={headingId(heading)} className={isCollapsed ? 'sr-only' : HEADING}>
                {t(heading)}
              </h2>
            )}
            {heading !== undefined && isCollapsed && <hr className="mx-2 mb-3 border-border" />}
            <ul aria-labelledby={heading && headingId(heading)} className="flex flex-col gap-0.5">
              {shown.map((entry) => (
                <SidebarEntry
                  key={entry.id}
                  entry={entry}
                  waiting={waiting[entry.id] ?? 0}
                  isCollapsed={isCollapsed}
                  projectId={projectId}
                  pathname={pathname}
                  isOpen={openId === entry.id}
                  isHeld={heldId === entry.id}
                  onToggle={(event) => toggle(entry.id, event)}
                />
              ))}
            </ul>
          </div>
        )
      })}
    </div>
  )
}

/** Whether one entry of the menu stands above another. */
function isAbove(id: string, otherId: string): boolean {
  const ids = NAVIGATION.flatMap(({ entries }) => entries.map((entry) => entry.id))
  return ids.indexOf(id) < ids.indexOf(otherId)
}

function LoadingMenu({ isCollapsed }: { isCollapsed: boolean }) {
  return (
    <div className="flex flex-col gap-5 px-2.5 pt-3">
      {[110, 88, 72, 140, 128, 80].map((width) => (
        <Skeleton key={width} width={isCollapsed ? 20 : width} height={14} />
      ))}
    </div>
  )
}
