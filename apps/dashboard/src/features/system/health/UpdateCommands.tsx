import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { CodeBlock } from '../../../ui/facts/CodeBlock.tsx'
import { BACKUP_COMMAND } from './commands.ts'

/** As in the guide. */
const NEWS = 'git fetch && git log -p HEAD..@{upstream} -- CHANGELOG.md'
const UPDATE = [BACKUP_COMMAND, '# stop every process of Kassa here', 'git pull --ff-only', 'npm start'].join('\n')

/** How an operator sees whether there is a newer version, and gets it. */
export function UpdateCommands() {
  return (
    <>
      <div className="flex flex-col gap-1.5">
        <p className="text-body text-muted">
          <Trans>
            Kassa does not look for newer versions itself. In its folder on the server, this shows what is new:
          </Trans>
        </p>
        <CodeBlock label={t`command that shows what is new`} text={NEWS} />
      </div>
      <div className="flex flex-col gap-1.5">
        <p className="text-body text-muted">
          <Trans>To update, one after the other; an older version cannot open the database afterwards:</Trans>
        </p>
        <CodeBlock label={t`update commands`} text={UPDATE} />
      </div>
    </>
  )
}
