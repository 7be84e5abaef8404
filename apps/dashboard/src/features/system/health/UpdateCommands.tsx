import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { CodeBlock } from '../../../ui/facts/CodeBlock.tsx'
import { BACKUP_COMMAND } from './commands.ts'

/** As in the guide: what is new, a backup, the new version, its start. */
const COMMANDS = [
  'git fetch && git log -p HEAD..@{upstream} -- CHANGELOG.md',
  BACKUP_COMMAND,
  'git pull --ff-only',
  'npm start',
].join('\n')

/** How an operator sees whether there is a newer version, and gets it. */
export function UpdateCommands() {
  return (
    <div className="flex flex-col gap-1.5">
      <p className="text-body text-muted">
        <Trans>
          Kassa asks nobody whether there is a newer version. In its folder on the server, the first of these commands
          shows what is new. To update, take a backup, stop every process of Kassa, get the new version and start it.
        </Trans>
      </p>
      <CodeBlock label={t`update commands`} text={COMMANDS} wraps />
    </div>
  )
}
