import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useMatches } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { Suspense } from 'react'

import { meQuery } from '../../../api/me.ts'
import { ALL_PROJECTS } from '../../../lib/navigation/current-project.ts'
import { paths, projectInPath } from '../../../lib/paths.ts'
import { usePageTitle } from '../../../lib/navigation/page-title.ts'
import { MOD } from '../../../lib/device/shortcuts.ts'
import { SPEC_TEXTS } from '../../../lib/text/spec-texts.ts'
import { Breadcrumbs } from '../../../ui/places/Breadcrumbs.tsx'
import type { Crumb } from '../../../ui/places/Breadcrumbs.tsx'
import { IconButton } from '../../../ui/actions/IconButton.tsx'
import { lazyPart } from '../../../ui/overlays/lazy-load.ts'
import type { LiveConnection } from '../../live/live-connection.ts'
import { ConnectionIndicator } from './ConnectionIndicator.tsx'
import { EnvironmentBadge } from './EnvironmentBadge.tsx'

/** What needs attention comes once the page stands; the place is kept. */
const Bell = lazyPart(async () => ({ default: (await import('./Bell.tsx')).Bell }))

/** Its many entries come once the page stands; the place is kept. */
const ProfileMenu = lazyPart(async () => ({ default: (await import('./ProfileMenu.tsx')).ProfileMenu }))

const PLACE = <span className="size-8 shrink-0 coarse:size-11" />

export type TopBarProps = {
  readonly projectName: string | undefined
  readonly network: 'sandbox' | 'testnet' | 'mainnet' | undefined
  readonly connection: LiveConnection
  readonly onPalette: () => void
  readonly onShortcuts: () => void
}

/** Where one is, which world this is, whether it is live, who one is. */
export function TopBar({ projectName, network, connection, onPalette, onShortcuts }: TopBarProps) {
  const { data: me } = useQuery(meQuery)
  return (
    <header
      data-toasts-below
      className="sticky top-0 z-20 flex h-14 shrink-0 items-center gap-[6px] border-b border-border bg-bg px-[16px] sm:gap-2 sm:px-6"
    >
      <Breadcrumbs crumbs={useCrumbs(projectName)} />
      <EnvironmentBadge network={network} />
      <ConnectionIndicator {...connection} />
      <Suspense fallback={PLACE}>
        <Bell />
      </Suspense>
      <IconButton label={t`Search (${MOD} K)`} icon={<Search aria-hidden strokeWidth={1.75} />} onClick={onPalette} />
      <Suspense fallback={PLACE}>
        <ProfileMenu email={me?.email ?? ''} onShortcuts={onShortcuts} />
      </Suspense>
    </header>
  )
}

function useCrumbs(projectName: string | undefined): readonly Crumb[] {
  const inPath = useLocation({ select: ({ pathname }) => projectInPath(pathname) })
  const title = usePageTitle()
  const group = useMatches({ select: (matches) => matches.at(-1)?.staticData.group })
  const crumbs: Crumb[] = []
  if (inPath !== undefined) {
    const label = projectName ?? (inPath === ALL_PROJECTS ? t(SPEC_TEXTS.allProjects) : t`Project ${inPath}`)
    crumbs.push({ label, href: paths.dashboard({ projectId: inPath }) })
  }
  if (group !== undefined) crumbs.push({ label: t(group) })
  crumbs.push({ label: title })
  return crumbs
}
