import { useRef } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'

import { useSearchState } from '../../lib/navigation/search.ts'
import { useFadedEdges } from './useFadedEdges.ts'

export type Tab = { readonly id: string; readonly label: string; readonly count?: number }

export type TabsProps = {
  readonly label: string
  readonly tabs: readonly [Tab, ...Tab[]]
  /** The query key that holds the selected tab. */
  readonly param?: string
  /** Query keys that mean something on one tab only, such as a page of its list. */
  readonly clears?: readonly string[]
  readonly children: (selected: string) => ReactNode
}

/** Tabs whose selection stands in the address; arrows move the focus, Enter or a press selects. */
export function Tabs({ label, tabs, param = 'tabId', clears = [], children }: TabsProps) {
  const [search, setSearch] = useSearchState()
  const list = useRef<HTMLDivElement>(null)
  const selected = (tabs.find((tab) => tab.id === search[param]) ?? tabs[0]).id
  const fade = useFadedEdges(list, selected)

  const onKeyDown = (event: KeyboardEvent) => {
    const entries = [...(list.current?.querySelectorAll<HTMLElement>('[role=tab]') ?? [])]
    const at = entries.findIndex((entry) => entry === document.activeElement)
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step !== undefined) entries[(at + step + entries.length) % entries.length]?.focus()
    if (event.key === 'Home') entries[0]?.focus()
    if (event.key === 'End') entries.at(-1)?.focus()
    if (event.key === ' ') {
      event.preventDefault()
      entries[at]?.click()
    }
  }

  return (
    <div>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        onKeyDown={onKeyDown}
        className={`flex gap-1 overflow-x-auto border-b border-border [scrollbar-width:none] ${fade}`}
      >
        {tabs.map((tab) => {
          const isSelected = tab.id === selected
          return (
            <a
              key={tab.id}
              role="tab"
              id={`tab-${tab.id}`}
              href={`?${param}=${tab.id}`}
              aria-selected={isSelected}
              aria-controls={isSelected ? `panel-${tab.id}` : undefined}
              tabIndex={isSelected ? 0 : -1}
              onClick={(event) => {
                event.preventDefault()
                if (!isSelected)
                  setSearch({ ...Object.fromEntries(clears.map((key) => [key, undefined])), [param]: tab.id })
              }}
              className="relative rounded-t-control px-3 py-2.5 text-body font-medium whitespace-nowrap text-muted outline-offset-[-2px] hover:text-ink aria-selected:text-ink aria-selected:after:absolute aria-selected:after:inset-x-2 aria-selected:after:bottom-0 aria-selected:after:h-0.5 aria-selected:after:rounded-full aria-selected:after:bg-accent-text"
            >
              {tab.label}
              {tab.count !== undefined && <span className="ms-1.5 text-muted tabular-nums">{tab.count}</span>}
            </a>
          )
        })}
      </div>
      <div role="tabpanel" id={`panel-${selected}`} aria-labelledby={`tab-${selected}`} className="pt-5">
        {children(selected)}
      </div>
    </div>
  )
}
