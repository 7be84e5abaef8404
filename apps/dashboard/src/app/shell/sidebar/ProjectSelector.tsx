import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { ChevronsUpDown, CornerUpLeft, TriangleAlert } from 'lucide-react'
import { Suspense, useId, useRef, useState } from 'react'

import { useCan } from '../../../api/me.ts'
import { projectsQuery } from '../../../api/projects.ts'
import { paths } from '../../../lib/paths.ts'
import { ALL_PROJECTS, lastProject, useCurrentProject } from '../../../lib/navigation/current-project.ts'
import { useFollow } from '../../../lib/navigation/navigate.ts'
import { SPEC_TEXTS } from '../../../lib/text/spec-texts.ts'
import { lazyLayer, lazyPart } from '../../../ui/overlays/lazy-load.ts'
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { Tooltip } from '../../../ui/feedback/Tooltip.tsx'
import { ProjectMark } from './ProjectMark.tsx'

/** Not needed at first sight: it comes once the page stands. */
const ProjectList = lazyPart(async () => ({ default: (await import('./ProjectList.tsx')).ProjectList }))
const AddProjectDialog = lazyLayer(async () => ({
  default: (await import('../../../features/projects/AddProjectDialog.tsx')).AddProjectDialog,
}))

const LOOK = {
  open: 'border-border bg-raised shadow-card hover:bg-hover',
  off: 'border-border bg-sunken text-muted',
  failed: 'border-danger-border bg-danger-tint text-danger-text',
} as const

/**
 * Shows the current project and switches to another; without one in the address it is disabled and shows all. When the list
 * could not be fetched it says so on every page, and opens to try again.
 */
export function ProjectSelector({ isCollapsed }: { isCollapsed: boolean }) {
  const { id: currentId, isInUrl } = useCurrentProject()
  const projects = useQuery(projectsQuery)
  const can = useCan()
  const listId = useId()
  const opener = useRef<HTMLButtonElement>(null)
  const isAsked = useRef(false)
  const [isAdding, setAdding] = useState(false)
  const current = projects.data?.find(({ id }) => String(id) === currentId)
  const hasFailed = projects.isError && projects.data === undefined
  const canOpen = isInUrl || hasFailed
  const known = current?.name ?? (currentId === ALL_PROJECTS ? t(SPEC_TEXTS.allProjects) : t`Project ${currentId}`)
  const name = hasFailed ? t(SPEC_TEXTS.projectsFailed) : known

  const button = (
    <button
      ref={opener}
      type="button"
      onClick={() => {
        isAsked.current = document.getElementById(listId) === null
      }}
      aria-label={hasFailed ? name : t`Project: ${name}`}
      aria-disabled={canOpen ? undefined : true}
      title={canOpen ? undefined : t`This page covers all projects.`}
      popoverTarget={canOpen ? listId : undefined}
      className={`flex items-center gap-2.5 rounded-control border text-start text-body font-medium transition-colors duration-[120ms] coarse:min-h-11 ${isCollapsed ? 'size-10 justify-center' : 'min-h-10 w-full px-2.5 py-1'} ${LOOK[hasFailed ? 'failed' : canOpen ? 'open' : 'off']}`}
    >
      {hasFailed ? (
        <TriangleAlert aria-hidden size={18} strokeWidth={1.75} className="shrink-0" />
      ) : (
        <ProjectMark project={current} />
      )}
      {!isCollapsed && (
        <>
          <span className="line-clamp-2 min-w-0 flex-1 break-words">
            {projects.isPending ? <Skeleton width={96} height={12} /> : name}
          </span>
          {canOpen && <ChevronsUpDown aria-hidden size={16} strokeWidth={1.75} className="shrink-0 opacity-70" />}
        </>
      )}
    </button>
  )
  return (
    <div className={isCollapsed ? '' : 'relative w-full'}>
      {isCollapsed ? (
        <Tooltip text={name} beside>
          {button}
        </Tooltip>
      ) : (
        button
      )}
      {!isInUrl && !isCollapsed && (
        <WayBack names={new Map(projects.data?.map((project) => [String(project.id), project.name]))} />
      )}
      <Suspense>
        <ProjectList
          id={listId}
          currentId={currentId}
          projects={projects.data}
          hasFailed={projects.isError}
          onRetry={() => void projects.refetch()}
          // Pressed before it was there: it opens as it comes.
          onReady={() => {
            if (isAsked.current) opener.current?.click()
          }}
          {...(can('project:create') ? { onAdd: () => setAdding(true) } : {})}
        />
      </Suspense>
      {isAdding && (
        <Suspense>
          <AddProjectDialog onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </div>
  )
}

/** One press back to the project the operator came from; it lies on the selector, so nothing below moves. */
function WayBack({ names }: { names: ReadonlyMap<string, string> }) {
  const follow = useFollow()
  const last = lastProject() ?? ''
  const name = names.get(last)
  if (name === undefined) return null
  return (
    <a
      href={paths.dashboard({ projectId: last })}
      onClick={follow}
      aria-label={t`Back to ${name}`}
      title={t`Back to ${name}`}
      className="absolute inset-y-1 end-1 flex max-w-[calc(100%-7.5rem)] items-center gap-1 rounded-chip px-1.5 text-dense text-muted hover:bg-hover hover:text-ink"
    >
      <CornerUpLeft aria-hidden size={14} strokeWidth={1.75} className="shrink-0 rtl:-scale-x-100" />
      <span className="truncate">{name}</span>
    </a>
  )
}
