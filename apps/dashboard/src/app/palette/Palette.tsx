import { plural, t } from '@lingui/core/macro'
import { useId, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'

import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { CommandList, optionId } from './CommandList.tsx'
import { chargedProject, chargeRefusal, readCharge, type PaletteContext } from './commands.ts'
import { PaletteField } from './PaletteField.tsx'
import { PaletteFoot } from './PaletteFoot.tsx'
import { SearchFailure } from './SearchFailure.tsx'
import { useCommands } from './useCommands.ts'
import { useRun } from './useRun.ts'

export type PaletteProps = {
  /** What was typed before it was there. */
  readonly typed: string
  readonly onClose: () => void
  readonly onShortcuts: () => void
}

/** Finds pages, commands, projects, payments and people by what is typed; arrows choose, Enter goes. */
export function Palette({ typed, onClose, onShortcuts }: PaletteProps) {
  const [text, setText] = useState(typed)
  const [at, setAt] = useState(0)
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  const { commands, isSearching, failure, onRetry, paletteContext } = useCommands(text)
  const { run, isBusy } = useRun({ text, paletteContext, onClose, onShortcuts })
  const refusal = chargeRefusal(text) ?? placeRefusal(text, paletteContext)
  const nothing = refusal ?? emptyText(isSearching, failure !== undefined)
  const chosen = commands[Math.min(at, commands.length - 1)]

  const onKeyDown = (event: KeyboardEvent) => {
    const to = nextAt(event.key, Math.min(at, commands.length - 1), commands.length)
    if (to === undefined) return
    event.preventDefault()
    setAt(to)
    document.getElementById(optionId(listId, commands[to]))?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <Dialog title={t`Command palette`} bare fills locked={isBusy} initialFocus={input} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (chosen !== undefined) run(chosen)
        }}
      >
        <PaletteField
          input={input}
          role="combobox"
          aria-expanded={commands.length > 0}
          aria-controls={commands.length > 0 ? listId : undefined}
          aria-activedescendant={chosen && optionId(listId, chosen)}
          text={text}
          onText={(next) => {
            setText(next)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
          isBusy={isSearching || isBusy}
          onClose={onClose}
        />
      </form>
      <CommandList id={listId} commands={commands} nothing={nothing} chosen={chosen} onRun={run} />
      {failure && <SearchFailure failure={failure} onRetry={onRetry} />}
      <PaletteFoot />
      <p role="status" className="sr-only">
        {commands.length === 0 ? nothing : plural(commands.length, { one: '# found', other: '# found' })}
      </p>
    </Dialog>
  )
}

/** A link belongs to a project: where none is chosen the way to it is said. */
function placeRefusal(text: string, paletteContext: PaletteContext): string | undefined {
  if (readCharge(text) === undefined || chargedProject(paletteContext) !== undefined) return undefined
  return t`Go to a project first: a link belongs to one`
}

function emptyText(isSearching: boolean, hasFailed: boolean): string {
  if (isSearching) return t`Searching…`
  if (hasFailed) return t`No page or command has this name.`
  return t`Nothing found. Try another word, or a reference.`
}

function nextAt(key: string, at: number, count: number): number | undefined {
  if (count === 0) return undefined
  if (key === 'ArrowDown') return (at + 1) % count
  if (key === 'ArrowUp') return (at - 1 + count) % count
  return undefined
}
