import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useLocation, useMatches } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'

import { configurationQuery } from '../../api/configuration.ts'
import { meQuery, may } from '../../api/me.ts'
import { blockchainFactsQuery } from '../../api/blockchains.ts'
import { archivedProjectsQuery, projectsQuery } from '../../api/projects.ts'
import { ALL_PROJECTS, rememberProject, useCurrentProject } from '../../lib/navigation/current-project.ts'
import { useRedirect } from '../../lib/navigation/navigate.ts'
import { paths, projectInPath } from '../../lib/paths.ts'
import { usePageTitle } from '../../lib/navigation/page-title.ts'
import { useSearchState } from '../../lib/navigation/search.ts'
import { lazyPart } from '../../ui/overlays/lazy-load.ts'
import { useLiveConnection } from '../live/live-connection.ts'
import { SkipLinks } from '../layouts/SkipLinks.tsx'
import { StepUpDialog } from '../../features/step-up/StepUpDialog.tsx'
import { firstHref } from '../navigation/menu.ts'
import { useDocumentTitle } from '../navigation/titles.ts'
import { OfflineBanner } from './banners/OfflineBanner.tsx'
import { Commands, useCommandKeys } from '../palette/Commands.tsx'
import { Sidebar } from './sidebar/Sidebar.tsx'
import { TopBar } from './top-bar/TopBar.tsx'

/** Not needed at first sight: each comes once the page stands. */
const NewVersionBanner = lazyPart(async () => ({
  default: (await import('./banners/NewVersionBanner.tsx')).NewVersionBanner,
}))
const IdleDialog = lazyPart(async () => ({ default: (await import('../session/IdleDialog.tsx')).IdleDialog }))

/** Seen seldom, and asked for then. */
const ForbiddenPage = lazyPart(async () => ({ default: (await import('../errors/ForbiddenPage.tsx')).ForbiddenPage }))
const NoProjectPage = lazyPart(async () => ({ default: (await import('../errors/NoProjectPage.tsx')).NoProjectPage }))
const ArchivedBanner = lazyPart(async () => ({
  default: (await import('./banners/ArchivedBanner.tsx')).ArchivedBanner,
}))
const NoFactorBanner = lazyPart(async () => ({
  default: (await import('./banners/NoFactorBanner.tsx')).NoFactorBanner,
}))

/** Outside mainnet a thin line along the top says so at a glance. */
const TOP_LINE = 'fixed inset-x-0 top-0 z-40 h-0.5'

/** The page ends above a bar of its actions, and so does what sticks to the bottom edge. */
const MAIN =
  'mx-auto w-full max-w-[1440px] flex-1 px-edge pt-6 pb-16 sm:px-6 max-sm:has-[.page-actions]:pb-32 max-sm:has-[.page-actions]:[--page-end:calc(4rem+env(safe-area-inset-bottom))]'

/** What every signed-in page stands in: sidebar, top bar, banners and the page. */
export function Shell() {
  const { id: projectId } = useCurrentProject()
  const { data: projects, isFetching } = useQuery(projectsQuery)
  const { data: configuration } = useQuery(configurationQuery)
  const { data: me } = useQuery(meQuery)
  useQuery(blockchainFactsQuery)
  const project = projects?.find(({ id }) => String(id) === projectId)
  // A project made a moment ago is not in the list that is still on its way.
  const isNotListed = projectId !== ALL_PROJECTS && projects !== undefined && !isFetching && project === undefined
  const { data: archived } = useQuery({ ...archivedProjectsQuery, enabled: isNotListed })
  const old = archived?.find(({ id }) => String(id) === projectId)
  const isUnknown = isNotListed && archived !== undefined && old === undefined
  const connection = useLiveConnection()
  const network = configuration?.blockchainNetwork
  const [layer, setLayer] = useCommandKeys(projectId)
  const name = (project ?? old)?.name
  useDocumentTitle({ project: name, network })
  useProjectInQuery()

  useEffect(() => {
    if (project !== undefined) rememberProject(String(project.id))
  }, [project])

  return (
    <div className="flex min-h-dvh">
      <SkipLinks
        targets={[
          { id: 'content', label: t`Skip to content` },
          { id: 'menu', label: t`Skip to navigation` },
        ]}
      />
      {network === 'sandbox' && <div aria-hidden className={`${TOP_LINE} bg-progress-solid`} />}
      {network === 'testnet' && <div aria-hidden className={`${TOP_LINE} bg-warning-solid`} />}
      <Sidebar />
      <div className="flex min-w-0 flex-1 flex-col max-sm:[--page-start:3rem]">
        <TopBar
          projectName={name}
          network={network}
          connection={connection}
          onPalette={() => setLayer('palette')}
          onShortcuts={() => setLayer('shortcuts')}
        />
        <main id="content" tabIndex={-1} className={MAIN}>
          <Suspense>
            <NewVersionBanner />
          </Suspense>
          <OfflineBanner isUnreachable={connection.state === 'unreachable'} />
          <Suspense>{me?.secondFactor.requiredForMoney === true && <NoFactorBanner />}</Suspense>
          <Suspense>{isNotListed && old !== undefined && <ArchivedBanner project={old} />}</Suspense>
          <Suspense>{isUnknown && <NoProjectPage />}</Suspense>
          {!isUnknown && <Page projectId={projectId} projectName={name} />}
        </main>
      </div>
      <Commands layer={layer} onLayer={setLayer} />
      <Suspense>
        <IdleDialog />
      </Suspense>
      <StepUpDialog />
    </div>
  )
}

/** The page itself, or why it is not open to this operator. */
function Page({ projectId, projectName }: { projectId: string; projectName: string | undefined }) {
  const { data: me } = useQuery(meQuery)
  // Nothing else is open before there is one.
  useRedirect(me?.secondFactor.setupRequired === true ? paths.secondFactor() : undefined)
  const title = usePageTitle()
  const permission = useMatches({ select: (matches) => matches.at(-1)?.staticData.permission })
  const isOpen = me === undefined || permission === undefined || may(me, permission, projectId)
  // After a sign-in or a change of project the dashboard was not chosen, so the menu starts elsewhere.
  const isHome = useLocation({ select: ({ pathname }) => paths.dashboard.matches(pathname) })
  const instead = isHome && !isOpen ? firstHref((one) => may(me, one, projectId), projectId) : undefined
  useRedirect(instead)
  if (isOpen) return <Outlet />
  if (instead !== undefined) return null
  const nameless = t({ message: `project ${projectId}`, comment: 'a project by its number, inside a sentence' })
  const project = projectId === ALL_PROJECTS ? undefined : (projectName ?? nameless)
  return (
    <Suspense>
      <ForbiddenPage permission={permission} project={project} page={title} />
    </Suspense>
  )
}

/** The path's project wins: a query that names another one is corrected. */
function useProjectInQuery(): void {
  const inPath = useLocation({ select: ({ pathname }) => projectInPath(pathname) })
  const [{ projectId: inQuery }, setSearch] = useSearchState()
  useEffect(() => {
    if (inPath !== undefined && inQuery !== undefined && inQuery !== inPath) {
      setSearch({ projectId: inPath }, { replace: true })
    }
  })
}
