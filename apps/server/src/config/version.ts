import packageFile from '../../package.json' with { type: 'json' }

/** The version of this server, as its package states it. */
export const VERSION: string = packageFile.version
