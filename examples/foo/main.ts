import { describeCause, runOperator } from 'kubewright'
import { operator } from './operator.js'

process.exitCode = await runOperator(operator, {
  installKinds: true,
  onRun: ({ key, result, durationMs, causes }) => {
    console.log(
      `${key} ${result} in ${durationMs.toFixed(0)} ms, because: ${causes.map(describeCause).join('; ')}`,
    )
  },
})
