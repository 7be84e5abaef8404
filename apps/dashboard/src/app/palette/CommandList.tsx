import { t } from '@lingui/core/macro'
import {
  ArrowUpRight,
  CircleDollarSign,
  CirclePlus,
  FileText,
  KeyRound,
  Layers,
  Share2,
  User,
  Users,
  Zap,
} from 'lucide-react'
import type { LucideIcon } from 'lucide-react'

import { StatusBadge } from '../../ui/facts/StatusBadge.tsx'
import { TimeAgo } from '../../ui/time/TimeAgo.tsx'
import { type Command, COMMAND_GROUPS, type CommandGroup } from './commands.ts'

const ICONS: Readonly<Record<CommandGroup, LucideIcon>> = {
  create: CirclePlus,
  payments: CircleDollarSign,
  customers: User,
  payouts: ArrowUpRight,
  promoters: Share2,
  members: Users,
  keys: KeyRound,
  pages: FileText,
  commands: Zap,
  projects: Layers,
}

export type CommandListProps = {
  readonly id: string
  readonly commands: readonly Command[]
  /** Said where nothing is found. */
  readonly nothing: string
  readonly chosen: Command | undefined
  readonly onRun: (command: Command) => void
}

/** What was found, by kind. The keys belong to the field above. */
export function CommandList({ id, commands, nothing, chosen, onRun }: CommandListProps) {
  if (commands.length === 0) {
    return <p className="flex-1 px-4 py-8 text-center text-body text-muted">{nothing}</p>
  }
  const groups = [...Map.groupBy(commands, ({ group }) => group)]
  return (
    <div
      id={id}
      role="listbox"
      aria-label={t`Results`}
      className="flex-1 overflow-y-auto p-2 sm:max-h-[min(52dvh,420px)]"
    >
      {groups.map(([group, own]) => (
        <div key={group} role="group" aria-label={t(COMMAND_GROUPS[group])}>
          <p aria-hidden className="px-3 pt-2 pb-1 text-caption text-muted">
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
              className={`flex min-h-9 cursor-pointer items-center gap-3 rounded-control px-3 py-1.5 text-body coarse:min-h-11 ${command === chosen ? 'bg-selected' : 'hover:bg-hover'}`}
            >
              <Content command={command} />
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

/** On a phone the detail beside a long name goes below it. */
function Content({ command: { group, label, hint, badge, at } }: { command: Command }) {
  const Icon = ICONS[group]
  return (
    <>
      <Icon aria-hidden size={16} strokeWidth={1.75} className="shrink-0 text-muted" />
      <span className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="min-w-0 break-words">{label}</span>
        <span className="flex shrink-0 items-center gap-2.5 text-dense text-strong-muted">
          {badge && <StatusBadge {...badge} />}
          {at && <TimeAgo at={at} />}
          {hint}
        </span>
      </span>
    </>
  )
}

/** What an option is called in the page. */
export function optionId(listId: string, command: Command | undefined): string {
  return `${listId} ${command?.id ?? ''}`.replaceAll(/[^\w-]/g, '-')
}
