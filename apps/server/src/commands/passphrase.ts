import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

import { BackupRefused } from '../backup/refused.ts'
import { backupPassphrase } from '../config/config.ts'

/** A file that is stolen can be guessed at for years. */
const LEAST_CHARACTERS = 12

/** The passphrase of a new backup: from the environment, or typed twice. @throws BackupRefused when it is too short */
export async function newPassphrase(): Promise<string> {
  const passphrase = await readPassphrase('Passphrase for this backup: ')
  if (passphrase.length < LEAST_CHARACTERS) {
    throw new BackupRefused(
      `The passphrase of a backup has at least ${LEAST_CHARACTERS} characters. Several words at random are a good one.`,
    )
  }
  if (backupPassphrase() === null && (await ask('Once more: ')) !== passphrase) {
    throw new BackupRefused('The two passphrases differ. Nothing was written.')
  }
  return passphrase
}

/** The passphrase of a backup that exists: from the environment, or typed. @throws BackupRefused without a terminal */
export async function readPassphrase(question = 'Passphrase of the backup: '): Promise<string> {
  return backupPassphrase() ?? ask(question)
}

async function ask(question: string): Promise<string> {
  if (!process.stdin.isTTY) {
    throw new BackupRefused('A passphrase is needed: set KASSA_BACKUP_PASSPHRASE, or run this on a terminal.')
  }
  return askPassphrase(question)
}

/** Asks on the terminal; what is typed is not shown. */
export async function askPassphrase(question: string): Promise<string> {
  process.stdout.write(question)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  try {
    return await terminal.question('')
  } finally {
    terminal.close()
    process.stdout.write('\n')
  }
}
