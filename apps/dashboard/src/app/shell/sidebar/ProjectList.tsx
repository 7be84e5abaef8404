import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Check, Plus } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'

import type { ListedProject } from '../../../api/projects.ts'
import { projectSize } from '../../../labels/project-size.ts'
import { paths } from '../../../lib/paths.ts'
import { ALL_PROJECTS } from '../../../lib/navigation/current-project.ts'
import { useGo } from '../../../lib/navigation/navigate.ts'
import { SPEC_TEXTS } from '../../../lib/text/spec-texts.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { ProjectMark } from './ProjectMark.tsx'

/** From this many projects on a filter field helps. */
const FILTER_FROM = 8

export type ProjectListProps = {
  readonly id: string
  readonly currentId: string
  readonly projects: readonly ListedProject[] | undefined
  readonly hasFailed: boolean
  readonly onRetry: () => void
  /** The list is there and can be opened. */
  readonly onReady: () => void
  /** Absent when the operator may not add projects. */
  readonly onAdd?: () => void
}

/** The popover of the selector: All Projects, the projects, Add Project. */
export function ProjectList({ id, currentId, projects: listed, hasFailed, onRetry, onReady, onAdd }: ProjectListProps) {
  const projects = listed ?? []
  const panel = useRef<HTMLDivElement>(null)
  const [filter, setFilter] = useState('')
  const go = useGo()
  const ready = useEffectEvent(onReady)
  useEffect(() => {
    ready()
  }, [])
  const shown = projects.filter(({ name }) => name.toLowerCase().includes(filter.trim().toLowerCase()))

  const choose = (projectId: string) => {
    panel.current?.hidePopover?.()
    go(paths.dashboard({ projectId }, { projectId: String(projectId) }))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const options = [...(panel.current?.querySelectorAll<HTMLElement>('[role=option]') ?? [])]
    const at = options.findIndex((option) => option === document.activeElement)
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    options[(at + step + options.length) % options.length]?.focus()
  }
  const onToggle = (event: { newState: string }) => {
    if (event.newState !== 'open') return setFilter('')
    const selected = panel.current?.querySelector<HTMLElement>('[aria-selected=true]')
    selected?.focus()
  }

  return (
    <div
      ref={panel}
      id={id}
      popover="auto"
      onToggle={onToggle}
      onKeyDown={onKeyDown}
      className="hangs w-[17.5rem] max-w-[calc(100vw-32px)] rounded-card border border-border bg-raised p-1.5 text-ink shadow-menu"
    >
      {projects.length >= FILTER_FROM && (
        <input
          type="search"
          aria-label={t`Filter projects`}
          placeholder={t`Filter projects`}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
          className="mb-1.5 h-9 w-full rounded-control border border-border-control bg-surface px-2.5 text-body coarse:h-11 coarse:text-field"
        />
      )}
      {hasFailed && (
        <div role="alert" className="flex items-center justify-between gap-2 px-2.5 py-2 text-body">
          {t(SPEC_TEXTS.projectsFailed)}
          <Button size="small" onClick={onRetry}>
            <Trans>Try again</Trans>
          </Button>
        </div>
      )}
      {listed === undefined && !hasFailed && (
        <p role="status" className="px-2.5 py-2 text-body text-muted">
          <Trans>Loading projects…</Trans>
        </p>
      )}
      {projects.length > 0 && (
        <div role="listbox" aria-label={t`Projects`} className="max-h-[min(60dvh,32rem)] overflow-y-auto">
          {projects.length > 1 && filter === '' && (
            <Option
              name={t(SPEC_TEXTS.allProjects)}
              isCurrent={currentId === ALL_PROJECTS}
              onChoose={() => choose(ALL_PROJECTS)}
            />
          )}
          {shown.map((project) => (
            <Option
              key={project.id}
              name={project.name}
              project={project}
              isCurrent={String(project.id) === currentId}
              onChoose={() => choose(String(project.id))}
            />
          ))}
          {shown.length === 0 && (
            <p className="px-2.5 py-2 text-body text-muted">
              <Trans>No project matches.</Trans>
            </p>
          )}
        </div>
      )}
      {onAdd !== undefined && (
        <div className={projects.length > 0 ? 'mt-1.5 border-t border-border pt-1.5' : ''}>
          <button
            type="button"
            onClick={() => {
              panel.current?.hidePopover?.()
              onAdd()
            }}
            className="flex h-9 w-full items-center gap-2.5 rounded-control px-2.5 text-body font-medium text-strong-muted hover:bg-hover hover:text-ink coarse:h-11"
          >
            <Plus aria-hidden size={18} strokeWidth={1.75} className="mx-px" />
            {t(SPEC_TEXTS.addProject)}
          </button>
        </div>
      )}
    </div>
  )
}

type OptionProps = { name: string; project?: ListedProject; isCurrent: boolean; onChoose: () => void }

function Option({ name, project, isCurrent, onChoose }: OptionProps) {
  return (
    <button
      type="button"
      role="option"
      aria-selected={isCurrent}
      tabIndex={isCurrent ? 0 : -1}
      onClick={onChoose}
      className="flex w-full items-center gap-2.5 rounded-control px-2.5 py-2 text-start text-body outline-offset-[-2px] hover:bg-hover coarse:min-h-11"
    >
      <ProjectMark project={project} />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{name}</span>
        {project !== undefined && <span className="block text-caption text-muted">{projectSize(project)}</span>}
      </span>
      {isCurrent && <Check aria-hidden size={16} className="shrink-0 text-accent-text" />}
    </button>
  )
}
