import { useMutation, useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { sendProved } from '#app/api/send-proved.ts'
import { ActionError } from '#app/ui/action-error.tsx'
import { Button } from '#app/ui/button.tsx'
import { ssoStartedSchema } from '#contract/bff/single-sign-on.ts'
import { profileOptions } from './profile-options.ts'

type SingleSignOnLinkProps = { isLinked: boolean; canUnlink: boolean }

/** Links the account to the user's identity at the provider. Only its owner can do that. */
export function SingleSignOnLink({ isLinked, canUnlink }: SingleSignOnLinkProps) {
  const queryClient = useQueryClient()
  const link = useMutation({
    mutationFn: () => sendProved('profile/sso', ssoStartedSchema, {}),
    // To the provider, which leads back here.
    onSuccess: ({ url }) => location.assign(url),
  })
  const unlink = useMutation({
    mutationFn: () => sendProved('profile/sso', z.undefined(), { method: 'DELETE' }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: profileOptions().queryKey }),
  })
  const error = isLinked ? unlink.error : link.error

  return (
    <div className="grid justify-items-start gap-3 p-4">
      <p className="text-muted text-sm">{wordsOf(isLinked, canUnlink)}</p>
      {!isLinked && (
        <Button
          icon="lock"
          isBusy={link.isPending || link.isSuccess}
          onClick={() => link.mutate()}
          className="max-sm:h-11"
        >
          Link single sign-on
        </Button>
      )}
      {isLinked && canUnlink && (
        <Button isBusy={unlink.isPending} onClick={() => unlink.mutate()} className="max-sm:h-11">
          Unlink
        </Button>
      )}
      <ActionError error={error} />
    </div>
  )
}

function wordsOf(isLinked: boolean, canUnlink: boolean): string {
  if (!isLinked) {
    return 'Sign in to this account by your identity provider too. You sign in there once, then come back here.'
  }
  return canUnlink
    ? 'Your identity provider lets you into this account. Unlinked, it opens by your password alone.'
    : 'Your identity provider lets you into this account. It is the only way in, so it cannot be unlinked.'
}
