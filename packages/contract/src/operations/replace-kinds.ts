/** Puts one row in another's place wherever it is used, or takes it away from there, and then deletes it. */
export const replaceKinds = ['replaceTag', 'replaceQueue', 'replaceReason', 'replaceLane'] as const
/** A stage of the funnel, or a pipeline whole, gives its opportunities to another stage and is then deleted. */
export const funnelReplaceKinds = ['replaceStage', 'replacePipeline'] as const
