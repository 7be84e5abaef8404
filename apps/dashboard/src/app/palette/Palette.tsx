import type { PaymentRow } from '@kassa/contract/payments/schemas.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useId, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'

import { asApiError } from '../../api/api-error.ts'
import { useCan } from '../../api/me.ts'
import { paymentsQuery, useCreatePayment } from '../../api/payments.ts'
import { projectsQuery } from '../../api/projects.ts'
import { paymentBadge } from '../../features/payments/payment-states.ts'
import { copiedText, copyFailedText, copyText } from '../../lib/clipboard.ts'
import { useCurrentProject } from '../../lib/current-project.ts'
import { usd } from '../../lib/format.ts'
import { useGo } from '../../lib/navigate.ts'
import { shortReference } from '../../lib/short-reference.ts'
import { chooseTheme, useTheme } from '../../lib/theme.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { toast } from '../../ui/toast.ts'
import {
  chargeCommand,
  chargedProject,
  type Command,
  COMMAND_GROUPS,
  doCommands,
  findCommands,
  pageCommands,
  projectCommands,
  readCharge,
  type Surroundings,
} from './commands.ts'
import { PaletteField } from './PaletteField.tsx'

/** Payments are looked for from so many letters on. */
const SEARCH_FROM = 3
const FOUND_PAYMENTS = 5

export type PaletteProps = {
  /** What was typed before it was there. */
  readonly typed: string
  readonly onClose: () => void
  readonly onShortcuts: () => void
}

/** Finds pages, commands, projects and payments by what is typed; arrows choose, Enter goes. */
export function Palette({ typed, onClose, onShortcuts }: PaletteProps) {
  const [text, setText] = useState(typed)
  const [at, setAt] = useState(0)
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  const { commands, isSearching, surroundings } = useCommands(text)
  const { run, isBusy } = useRun({ text, surroundings, onClose, onShortcuts })
  const chosen = commands[Math.min(at, commands.length - 1)]

  const onKeyDown = (event: KeyboardEvent) => {
    const to = nextAt(event.key, Math.min(at, commands.length - 1), commands.length)
    if (to === undefined) return
    event.preventDefault()
    setAt(to)
    document.getElementById(optionId(listId, commands[to]))?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <Dialog title={t`Command palette`} size={560} fills locked={isBusy} initialFocus={input} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (chosen !== undefined) run(chosen)
        }}
      >
        <PaletteField
          input={input}
          role="combobox"
          aria-expanded
          aria-controls={listId}
          aria-activedescendant={chosen && optionId(listId, chosen)}
          text={text}
          onText={(next) => {
            setText(next)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
          isBusy={isSearching || isBusy}
        />
      </form>
      <CommandList id={listId} commands={commands} chosen={chosen} onRun={run} />
      <p role="status" className="sr-only">
        {foundText(commands.length)}
      </p>
    </Dialog>
  )
}

function foundText(count: number): string {
  return count === 0 ? t`Nothing found` : plural(count, { one: '# found', other: '# found' })
}

type CommandListProps = {
  readonly id: string
  readonly commands: readonly Command[]
  readonly chosen: Command | undefined
  readonly onRun: (command: Command) => void
}

function CommandList({ id, commands, chosen, onRun }: CommandListProps) {
  if (commands.length === 0) {
    return (
      <p className="px-3 py-8 text-center text-body text-muted">
        <Trans>Nothing found. Try another word, or a reference.</Trans>
      </p>
    )
  }
  const groups = [...Map.groupBy(commands, ({ group }) => group)]
  return (
    <div id={id} role="listbox" aria-label={t`Results`} className="mt-2 max-h-[min(52vh,420px)] overflow-y-auto">
      {groups.map(([group, own]) => (
        <div key={group} role="group" aria-label={t(COMMAND_GROUPS[group])}>
          <p aria-hidden className="px-3 pt-3 pb-1 text-caption text-muted">
            {t(COMMAND_GROUPS[group])}
          </p>
          {own.map((command) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the combobox above has the keys
            <div
              key={command.id}
              id={optionId(id, command)}
              role="option"
              tabIndex={-1}
              aria-selected={command === chosen}
              onClick={() => onRun(command)}
              className={`flex min-h-9 cursor-pointer items-center justify-between gap-4 rounded-control px-3 py-1.5 text-body coarse:min-h-11 ${command === chosen ? 'bg-selected' : 'hover:bg-hover'}`}
            >
              <span className="min-w-0 break-words">{command.label}</span>
              {command.hint !== undefined && (
                <span className="shrink-0 text-dense text-strong-muted">{command.hint}</span>
              )}
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

function useCommands(text: string) {
  const { id: projectId } = useCurrentProject()
  const { data: projects = [] } = useQuery(projectsQuery)
  const can = useCan()
  const surroundings: Surroundings = { projectId, projects, can }
  const searched = useDeferredValue(text.trim())
  const isAsked =
    searched.length >= SEARCH_FROM && !/^(>|go\s|charge\s)/i.test(searched) && can('payment:read', projectId)
  const found = useQuery({
    ...paymentsQuery(projectId, { query: searched, limit: FOUND_PAYMENTS }),
    enabled: isAsked,
  })
  const charge = chargeCommand(text, surroundings)
  const own = [...doCommands(surroundings), ...pageCommands(surroundings), ...projectCommands(surroundings)]
  const payments = isAsked ? (found.data?.data ?? []).map((row) => paymentCommand(row)) : []
  const commands = [...(charge === undefined ? [] : [charge]), ...payments, ...findCommands(text, own)]
  return { commands, isSearching: isAsked && found.isFetching, surroundings }
}

function paymentCommand(row: PaymentRow): Command {
  const { referenceId, exact, email, customerId, externalPlatformID, paymentStatus: state, fundingState } = row
  return {
    id: `payment ${referenceId}`,
    group: 'payments',
    label: `${usd(exact.amountInUSD)} · ${email ?? customerId}`,
    hint: `${paymentBadge({ state, fundingState }).word} · ${shortReference(referenceId)}`,
    href: `/project/${externalPlatformID}/payments/allPayments?open=${referenceId}`,
  }
}

function useRun({
  text,
  surroundings,
  onClose,
  onShortcuts,
}: {
  text: string
  surroundings: Surroundings
  onClose: () => void
  onShortcuts: () => void
}) {
  const go = useGo()
  const theme = useTheme()
  const create = useCreatePayment()
  const [isBusy, setBusy] = useState(false)
  const charge = async () => {
    const wanted = readCharge(text)
    const project = chargedProject(surroundings)
    if (wanted === undefined || project === undefined || isBusy) return
    setBusy(true)
    try {
      const customerID = wanted.customerEmail.toLowerCase()
      const { url, reference_id: reference } = await create(String(project.id), { ...wanted, customerID })
      const isCopied = await copyText(url)
      const label = t`payment link`
      toast.success(isCopied ? copiedText(label) : copyFailedText(label))
      go(`/project/${project.id}/payments/allPayments?open=${reference}`)
      onClose()
    } catch (thrown) {
      const { message, details } = asApiError(thrown)
      toast.error(details ?? message)
    } finally {
      setBusy(false)
    }
  }
  const run = ({ href, run: action }: Command) => {
    if (action === 'charge') return void charge()
    onClose()
    if (href !== undefined) go(href)
    if (action === 'theme') chooseTheme(theme === 'dark' ? 'light' : 'dark')
    if (action === 'shortcuts') onShortcuts()
  }
  return { run, isBusy }
}

function optionId(listId: string, command: Command | undefined): string {
  return `${listId} ${command?.id ?? ''}`.replaceAll(/[^\w-]/g, '-')
}

function nextAt(key: string, at: number, count: number): number | undefined {
  if (count === 0) return undefined
  if (key === 'ArrowDown') return (at + 1) % count
  if (key === 'ArrowUp') return (at - 1 + count) % count
  return undefined
}
