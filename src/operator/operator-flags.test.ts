import { describe, expect, test } from 'vitest'
import { InvalidFlagsError, parseOperatorFlags } from './operator-flags.js'

describe('the flags of an operator', () => {
  test('have defaults that listen nowhere and lead without a lease', () => {
    expect(parseOperatorFlags([], false)).toMatchObject({
      kubeconfig: undefined,
      namespaces: [],
      leaderElect: false,
      healthProbeBindAddress: '0',
      metricsBindAddress: '0',
      metricsSecure: true,
      verbosity: 0,
      logFormat: 'json',
    })
  })

  test('are read in the ways that Go programs take them', () => {
    const flags = parseOperatorFlags(
      [
        '--kubeconfig=/k',
        '--leader-elect=true',
        '--metrics-secure=false',
        '-v=4',
        '--namespace',
        'a,b',
        '--namespace=c',
      ],
      true,
    )
    expect(flags).toMatchObject({
      kubeconfig: '/k',
      leaderElect: true,
      metricsSecure: false,
      verbosity: 4,
      namespaces: ['a', 'b', 'c'],
      logFormat: 'human',
    })
  })

  test('-v and its level may stand apart', () => {
    expect(parseOperatorFlags(['-v', '5'], false)).toMatchObject({ verbosity: 5 })
  })

  test('ask for help', () => {
    expect(parseOperatorFlags(['--help'], false)).toBe('help')
  })

  test.each([[['--bogus']], [['stray']], [['-v', 'loud']], [['--log-format', 'xml']], [['--kubeconfig']]])(
    'that make no sense are refused: %o',
    (args) => {
      expect(() => parseOperatorFlags(args, false)).toThrow(InvalidFlagsError)
    },
  )
})
