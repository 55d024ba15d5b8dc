import { expect, test } from 'vitest'
import { introduce } from './introduction.js'

test('the first line can be pasted into a shell, whatever is in the path', () => {
  const text = introduce({
    kubeconfig: "/tmp/it's here/config",
    commands: ['kubectl get pods'],
    ending: 'Bye.',
  })
  expect(text.split('\n')).toEqual([
    "KUBECONFIG='/tmp/it'\\''s here/config'",
    '',
    'Try in another terminal:',
    "  export KUBECONFIG='/tmp/it'\\''s here/config'",
    '  kubectl get pods',
    '',
    'Bye.',
    '',
  ])
})

test('a relative path becomes one that holds in another folder too', () => {
  const [line] = introduce({ kubeconfig: 'config', commands: [], ending: '' }).split('\n')
  expect(line).toMatch(/^KUBECONFIG='?\/.*\/config'?$/)
})
