// Generated from apps/console/openapi.json by `npm run generate -- console`.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AccountDetails: {
            account_id: string;
            name: string;
            /** @enum {string} */
            status: "active" | "closed" | "paused" | "suspended";
            status_reason: string | null;
            /** @description Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit. */
            balance_micros: number;
            /** @description Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit. */
            held_micros: number;
            /** @description Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit. */
            spent_micros: number;
            in_flight_jobs: number;
            /** @description What is owed for payments that went back; the next top-up pays it first. */
            owed_micros?: number;
            rate_limit_rpm: number;
            max_concurrent_jobs: number;
            retention_days: number;
            /** @description Null where it pays the price list. */
            price_group?: string | null;
            /** @description Null if it was never configured. */
            auto_recharge: components["schemas"]["AutoRechargeDetails"] | null;
            created_at: string;
        };
        AccountSummary: {
            account_id: string;
            name: string;
            /** @enum {string} */
            status: "active" | "closed" | "paused" | "suspended";
            /** @description Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit. */
            balance_micros: number;
            in_flight_jobs: number;
            created_at: string;
        };
        AccountSummaryList: {
            /** @description Whether older ones follow. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last one. */
            next_cursor: string | null;
            data: components["schemas"]["AccountSummary"][];
        };
        AddedOperator: {
            operator: components["schemas"]["OperatorDetails"];
            /** @description The address at which the operator sets the first password. It is shown once, and works once, for a day. */
            setup_url: string;
        };
        ApiKeyDetails: {
            api_key_id: string;
            name: string;
            prefix: string;
            /**
             * @description What the key may do; DEFAULT_KEY_SCOPE where this is left out.
             * @enum {string}
             */
            scope?: "account" | "jobs" | "read";
            /** @description Null where it may use any model. */
            allowed_models: string[] | null;
            /** @description Null, as the two below, if only the account's balance limits the key. */
            cap_micros: number | null;
            cap_period: ("day" | "month") | null;
            /** @description What its jobs of the current period have reserved and cost. */
            spent_in_period_micros: number | null;
            created_at: string;
            expires_at: string | null;
            revoked_at: string | null;
            last_used_at: string | null;
        };
        ApiKeyDetailsList: {
            /** @description Whether older ones follow. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last one. */
            next_cursor: string | null;
            data: components["schemas"]["ApiKeyDetails"][];
        };
        /** @description An appeal as operators see it. */
        AppealDetails: {
            appeal_id: string;
            account_id: string;
            job_id: string;
            decision_id: string;
            text: string;
            status: components["schemas"]["AppealStatus"];
            created_at: string;
            decided_at: string | null;
            decided_by: string | null;
            reason: string | null;
        };
        AppealDetailsList: {
            /** @description Whether older ones follow. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last one. */
            next_cursor: string | null;
            data: components["schemas"]["AppealDetails"][];
        };
        /**
         * @description `upheld`: the block stays. `lifted`: it was wrong, and its strike no longer counts.
         * @enum {string}
         */
        AppealStatus: "lifted" | "open" | "upheld";
        AttemptDetails: {
            /** @description Counts from 1. */
            number: number;
            response_status: number | null;
            /** @description The class of the failure; null if the receiver acknowledged. */
            error: string | null;
            latency_ms: number;
            ended_at: string;
        };
        AuditEntry: {
            user_id: string | null;
            /** @description The email at that time, or the operator's name of the command line. */
            actor: string;
            action: string;
            /** @description The id of what it was done to. */
            target: string | null;
            account_id: string | null;
            reason: string | null;
            before: Record<string, never> | null;
            after: Record<string, never> | null;
            /** @description `unknown` while the action runs, after a crash in between, and where the outcome could not be stored (the log has it). */
            outcome: string;
            request_id: string;
            id: string;
            at: string;
        };
        AutoRechargeDetails: {
            enabled: boolean;
            /** @description Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit. */
            threshold_micros: number;
            /** @description Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit. */
            amount_micros: number;
            /** @description Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit. */
            monthly_cap_micros: number | null;
            payment_method: string;
            customer: string | null;
            /** @description Consecutive failures so far. */
            failures: number;
            /** @description Why Kinora switched it off; null if it did not. */
            stopped_reason: string | null;
        };
        BalanceAlert: {
            /** @description Null if the customer wants no warning. */
            threshold_micros: number | null;
            /** @description Whether the balance is below the threshold now. */
            is_below: boolean;
            /** @description What is owed for payments that went back. */
            owed_micros: number;
        };
        /** @description Who the customer is on statements and receipts. */
        BillingDetails: {
            name: string;
            /** @description In lines. */
            address: string;
            /** @description Such as a VAT number. */
            tax_id: string | null;
        };
        /** @description The values that a model accepts, both ends included. */
        Bounds: {
            min: number;
            max: number;
        };
        /** @description Provider work for an account's jobs that were canceled, timed out or failed, and were therefore not charged. */
        CanceledWork: {
            attempts: number;
            /** @description The number of them that had finished when the cancel arrived. */
            too_late: number;
            /** @description The sum over providers that report it. */
            gpu_ms: number;
        };
        /** @description A card that the payment provider keeps for the account. */
        Card: {
            card_id: string;
            /** @description Such as `visa`. */
            brand: string;
            last4: string;
            exp_month: number;
            exp_year: number;
        };
        /** @description A payment by a page of the payment provider, as it stands. */
        Checkout: {
            payment_id: string;
            provider: string;
            /** @description Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit. */
            amount_micros: number;
            /**
             * @description `open`: not paid yet. `refused`: the provider's record does not fit the payment, and an operator must look at it.
             * @enum {string}
             */
            state: "expired" | "open" | "paid" | "refused";
            /** @description The provider's page; null once the payment has ended. */
            url: string | null;
            saves_card: boolean;
            /** @description The invoice at the provider; null if there is none. */
            invoice_url: string | null;
            created_at: string;
            ended_at: string | null;
        };
        /** @description The last run of a check. */
        CheckResult: {
            /** @enum {string} */
            check: "doctor" | "ledger_verify";
            ok: boolean;
            summary: string;
            problems: string[];
            actor: string;
            ran_at: string;
        };
        /** @description One thing that an operator may owe to the law, and how it stands here. */
        ComplianceLine: {
            subject: string;
            /** @description How it stands, in words. */
            state: string;
            /** @description Whether it is set up. */
            is_set: boolean;
            /** @description What it is for, in one sentence. */
            purpose: string;
        };
        ComplianceReport: {
            lines: components["schemas"]["ComplianceLine"][];
            /** @description The page that maps duties to settings. */
            guide: string;
        };
        ComputeExamination: {
            providers: components["schemas"]["ProviderExamination"][];
            models: components["schemas"]["ModelExamination"][];
            /**
             * Format: date-time
             * @description When the certificate that signs content credentials expires; null where none is set. Absent from an older release.
             */
            certificate_expires_at?: string | null;
        };
        ComputeInstance: {
            id: string;
            type: string;
            /** @description How many tasks it may have at once, over all processes. */
            slots: number;
            used_slots: number;
            free_slots: number;
            /** @description Whether the circuit breaker of the answering process for it is open or half-open. Each process has its own. */
            is_breaker_open: boolean;
            unknown_attempts: number;
            run_times: components["schemas"]["RunTimes"][];
            /** @description Absent for instances without loads. */
            last_hour?: components["schemas"]["LastHour"];
        };
        /** @description The compute instances as the jobs service sees them; no instance is asked. */
        ComputeState: {
            instances: components["schemas"]["ComputeInstance"][];
            /** @description At most 100. */
            unknown_attempts: components["schemas"]["UnknownAttempt"][];
        };
        /** @description Every refusal has this form. */
        ConsoleErrorEnvelope: {
            error: {
                type: string;
                code: string;
                message: string;
                param: string | null;
                request_id?: string;
            };
        };
        CreatedKey: {
            api_key: string;
            api_key_id: string;
            prefix: string;
        };
        /** @description The session of the browser that asks, or that it has none. */
        CustomerSession: {
            kind: "customer" | null;
            /** @description Goes into `X-CSRF-Token` of every request that changes something. */
            csrf_token: string | null;
            account_id: string | null;
            /** @description What the session may do: the scopes that its API key includes. */
            capabilities: ("account" | "jobs" | "read")[];
            expires_at: string | null;
            /** @description Of the API, for the code that pages show. */
            api_base_url: string;
            /** @description What the pages may show and change. */
            permissions: ("change_money" | "create" | "keys" | "members" | "see_money" | "view" | "webhooks")[];
            /** @description Who has signed in with a password; null for a key or a portal link. */
            member: {
                user_id: string;
                email: string;
                /** @enum {string} */
                role: "billing" | "developer" | "owner" | "viewer";
            } | null;
            /**
             * @description Whether a visitor can make an account, and whether users sign in by password.
             * @enum {string}
             */
            sign_up: "invited" | "off" | "open";
            /** @description Whether users can sign in at an identity provider. */
            has_oidc: boolean;
        };
        /** @description The part of a decision that operators may see: hashes of the content, never the content itself. */
        DecisionDetails: {
            decision_id: string;
            account_id: string;
            job_id: string;
            /** @enum {string} */
            stage: "input" | "output";
            /** @enum {string} */
            verdict: "blocked" | "passed";
            engine: string | null;
            reason: string | null;
            content_sha256: string[];
            /** @description Null, like the two below, for decisions made before they were recorded. */
            policy_version: string | null;
            engines: {
                [key: string]: string;
            } | null;
            findings: components["schemas"]["DecisionFinding"][] | null;
            created_at: string;
        };
        DecisionDetailsList: {
            /** @description Whether older ones follow. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last one. */
            next_cursor: string | null;
            data: components["schemas"]["DecisionDetails"][];
        };
        DecisionFinding: {
            /** @enum {string} */
            content: "image" | "text" | "video";
            content_sha256: string;
            engine: string;
            objection: string | null;
            /** @description Whether only an engine's score has reached a threshold. Absent from decisions made before this field was recorded. */
            by_threshold?: boolean;
            /** @description Scores with the engine's own names and scale. */
            scores: {
                [key: string]: number;
            };
        };
        /** @description The same, with the value of a request that gives none. */
        DefaultedBounds: {
            default: number;
            min: number;
            max: number;
        };
        /** @description The part of a delivery that operators see; never the body, never the signature. */
        DeliveryDetails: {
            delivery_id: string;
            event_id: string;
            /** @enum {string} */
            event_type: "job.canceled" | "job.failed" | "job.succeeded";
            account_id: string;
            job_id: string;
            url: string;
            /** @enum {string} */
            status: "delivered" | "exhausted" | "pending";
            attempts: number;
            last_response_status: number | null;
            /** @description The class of the last attempt's failure. */
            last_error: string | null;
            last_latency_ms: number | null;
            /** @description While an attempt is under way: when the delivery is attempted again if that attempt reports no result. */
            next_attempt_at: string | null;
            /** @description The delivery that this one repeats under its own id. */
            redelivery_of: string | null;
            /** @description The key of the account that requested it; null for all others. */
            requested_by?: string | null;
            created_at: string;
            completed_at: string | null;
        };
        DeliveryDetailsList: {
            /** @description Whether older ones follow. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last one. */
            next_cursor: string | null;
            data: components["schemas"]["DeliveryDetails"][];
        };
        /** @description Failed jobs by the code of Job.error and the time of their creation, among the newest 50,000. */
        ErrorTotals: {
            code: string;
            last_hour: number;
            last_day: number;
        };
        /** @description A host of an account whose deliveries fail now, or have failed for good in the last seven days. */
        FailingEndpoint: {
            account_id: string;
            /** @description Includes the port. */
            host: string;
            /** @description Deliveries that wait for another attempt. */
            retrying: number;
            exhausted: number;
            last_response_status: number | null;
            last_error: string | null;
            /** @description The earliest time among those that wait. */
            next_attempt_at: string | null;
        };
        FailingEndpointList: {
            /** @description Whether older ones follow. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last one. */
            next_cursor: string | null;
            data: components["schemas"]["FailingEndpoint"][];
        };
        /** @description The parameters of an edit, with every default filled in. Its images stand under the names that the request has used. */
        ImageEditInput: {
            /** @description The model that makes the image. */
            model: string;
            /** @description The image of `image`. */
            image?: components["schemas"]["ImageRef"];
            /** @description Those of `images`. A job from before 1.0.0 has that of `image` here as well, as the first one. */
            images?: components["schemas"]["ImageRef"][];
            /** @description Width, the letter x, height. */
            size: string;
            /** @constant */
            n: 1;
            /** @description The seed of the image. */
            seed: number;
            /**
             * @description The file type of the result.
             * @enum {string}
             */
            output_format: "jpeg" | "png" | "webp";
            /** @description The instruction, passed to the model verbatim. */
            prompt: string;
            /** @description What the result should not show. */
            negative_prompt?: string;
        } & {
            [key: string]: unknown;
        };
        /** @description The parameters of a text-to-image job, with every default filled in. */
        ImageGenerationInput: {
            /** @description The model that makes the images. */
            model: string;
            /** @description Width, the letter x, height. */
            size: string;
            /** @description How many images. */
            n: number;
            /** @description The seed of the first image. */
            seed: number;
            /** @description The number of sampling steps. The model sets the default and the limits. */
            steps?: number;
            /** @description Applied in this order. */
            loras?: components["schemas"]["LoraInput"][];
            /**
             * @description The file type of the result.
             * @enum {string}
             */
            output_format: "jpeg" | "png" | "webp";
            /** @description The prompt, passed to the model verbatim. */
            prompt: string;
            /** @description What the result should not show. */
            negative_prompt?: string;
            /**
             * @description Picks the nearest of the sizes of the model.
             * @enum {string}
             */
            aspect_ratio?: "16:9" | "1:1" | "2:3" | "3:2" | "4:5" | "5:4" | "9:16";
            /** @description How closely the model follows the prompt. The model sets the default and the limits. */
            guidance?: number;
        } & {
            [key: string]: unknown;
        };
        /** @description An image that a job made. */
        ImageOutput: {
            /**
             * Format: uri
             * @description Signed: any client with this URL can download the file, for at most 7 days and never past `expires_at`; null once it is deleted.
             */
            url: string | null;
            mime: string;
            /** @description Pixels. */
            width: number | null;
            /** @description Pixels. */
            height: number | null;
            /** @description The seed that makes the same image again. */
            seed: number | null;
            bytes: number;
        };
        /** @description Replaces an image: the hash and size of the received bytes, and the sides after orientation. */
        ImageRef: {
            sha256: string;
            width: number;
            height: number;
            mime: string;
        };
        Invitation: {
            email: string;
            /** @enum {string} */
            role: "billing" | "developer" | "owner" | "viewer";
            expires_at: string;
        };
        /** @description One accepted request from its creation to its end: the same object in the list, in webhooks and by its id. */
        Job: {
            /** Format: uuid */
            id: string;
            /** @constant */
            object: "job";
            /**
             * @description In flight while `queued` or `processing`; the others are final.
             * @enum {string}
             */
            status: "canceled" | "failed" | "processing" | "queued" | "succeeded";
            /** @enum {string} */
            kind: "image.edit" | "image.generation" | "image.inpaint" | "image.variation" | "video.generation";
            model: string;
            /** @description The parameters of the request, with every default filled in. An image is described by its hash, size and type. */
            input: components["schemas"]["JobInput"];
            /** @description The outputs; null unless the job has succeeded. */
            output: null | {
                images: components["schemas"]["ImageOutput"][];
            } | {
                video: components["schemas"]["VideoOutput"];
            };
            usage: components["schemas"]["JobUsage"];
            /** @description `passed` once all outputs have passed, `blocked` if any of them is blocked. */
            moderation: {
                status: components["schemas"]["ModerationStatus"];
            };
            /** @description Why a job failed; null otherwise. */
            error: {
                /** @enum {string} */
                code: "capacity" | "content_blocked_input" | "content_blocked_output" | "invalid_output" | "provider_error" | "provider_timeout" | "storage_error";
                message: string;
            } | null;
            /**
             * Format: date-time
             * @description RFC 3339, in UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When a provider began; null before.
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description When the job ended; null before.
             */
            completed_at: string | null;
            /**
             * Format: date-time
             * @description When the outputs are deleted; null if there are none.
             */
            expires_at: string | null;
            /** @description As given in the request. */
            metadata: {
                [key: string]: string;
            } | null;
        };
        /** @description One attempt at a provider, as operators see it. */
        JobAttempt: {
            number: number;
            provider: string;
            state: string;
            /** @description Null while it is open. */
            outcome: string | null;
            /** @description Why the attempt did not succeed, as a code of Job.error. */
            problem: string | null;
            /** @description Why the attempt failed, was refused, or has an unknown outcome; null if there was no problem. */
            reason?: string | null;
            /** @description As reported by the provider; null if it reports none. */
            gpu_ms: number | null;
            /** @description Whether the provider has stopped work that is no longer needed: `stopped`, `too_late`, `gave_up`; null while stopping is tried, or was not needed. */
            cancel_outcome: string | null;
            cancel_tries: number;
            created_at: string;
            ended_at: string | null;
        };
        /** @description A job of any account with its history. */
        JobHistory: {
            account_id: string;
            job: components["schemas"]["Job"];
            attempts: components["schemas"]["JobAttempt"][];
            /** @description The id of the account. */
            canceled_work: components["schemas"]["CanceledWork"];
            /** @description How the price came about. */
            price?: components["schemas"]["ReceiptPrice"];
        };
        JobInput: components["schemas"]["ImageEditInput"] | components["schemas"]["ImageGenerationInput"] | components["schemas"]["VideoGenerationInput"];
        /** @description A job in an operator's list; `jobs.v1.show` returns the rest. */
        JobSummary: {
            job_id: string;
            account_id: string;
            /** @enum {string} */
            status: "canceled" | "failed" | "processing" | "queued" | "succeeded";
            /** @enum {string} */
            kind: "image.edit" | "image.generation" | "image.inpaint" | "image.variation" | "video.generation";
            model: string;
            /** @description Why it failed, as a code of Job.error. */
            error_code: string | null;
            /** @description Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit. */
            charged_micros: number;
            created_at: string;
            completed_at: string | null;
            /** @description The instance that it was last routed to. Absent from a list of one account without further filters. */
            provider?: string;
        };
        /** @description Newest first. */
        JobSummaryPage: {
            data: components["schemas"]["JobSummary"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        /** @description The state of the service in numbers. They are cached, so they may be some seconds old. */
        JobTotals: {
            /** @description The rate of the last ten seconds. */
            created_per_second: number;
            model_queues: components["schemas"]["ModelQueueTotals"][];
            /** @description Ended jobs whose capture or refund billing has not acknowledged yet, counted up to 10,000. */
            unsettled_jobs: number;
            oldest_unsettled_seconds: number;
            /** @description Most frequent first. */
            errors: components["schemas"]["ErrorTotals"][];
        };
        /** @description The price of a job. */
        JobUsage: {
            /** @description In micro-USD: the reserved amount while in flight, 0 after a refund. */
            charged_micros: number;
            charged_usd: number;
            /** @description As the provider reports it; null if it reports none. */
            gpu_ms: number | null;
        };
        /** @description What the jobs of one key have cost. */
        KeySpend: {
            /** @description Null for the keys of portal sessions, which are one line together. */
            api_key_id: string | null;
            name: string | null;
            prefix: string | null;
            revoked_at: string | null;
            /** @description Jobs that succeeded. */
            jobs: number;
            /** @description What was captured for them. Jobs in flight are not in it, and neither are refunds. */
            charged_micros: number;
        };
        KeySpendList: {
            /** @description The first day of the period. */
            from: string;
            /** @description Its last day. */
            to: string;
            /** @description The keys that have spent something, the dearest first; a hundred at most. */
            data: components["schemas"]["KeySpend"][];
            has_more: boolean;
        };
        /** @description The parts of the last hour of an instance that loads models; they add up to an hour. */
        LastHour: {
            running_ms: number;
            loading_ms: number;
            idle_ms: number;
            /** @description With tasks that were lost or canceled. */
            unknown_ms: number;
            /** @description How often it loaded a model. */
            loads: number;
        };
        /** @description The balance of each book. The books of payments and credits are negative, because their money went to the accounts. */
        LedgerBooks: {
            /** @description Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit. */
            available_micros: number;
            /** @description Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit. */
            held_micros: number;
            /** @description Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit. */
            revenue_micros: number;
            /** @description Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit. */
            top_ups_micros: number;
            /** @description Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit. */
            credits_micros: number;
            /** @description What accounts owe for payments that went back, negative. */
            debts_micros?: number;
        };
        /** @description The entries of all accounts on one day of UTC. Revenue is what was captured: a refund ends a hold that was never charged. */
        LedgerDay: {
            day: string;
            /** @description Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit. */
            top_ups_micros: number;
            /** @description Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit. */
            credits_micros: number;
            /** @description Added minus taken away. */
            adjustments_micros: number;
            /** @description Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit. */
            reserved_micros: number;
            captures: number;
            /** @description Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit. */
            captured_micros: number;
            refunds: number;
            /** @description Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit. */
            refunded_micros: number;
            /** @description Paid back to cards, by operators and by disputes; negative where more has come back. */
            paid_back_micros?: number;
        };
        LedgerDays: {
            /** @description Newest first; a day without entries is absent. */
            data: components["schemas"]["LedgerDay"][];
            verification: components["schemas"]["LedgerVerification"];
        };
        LedgerReport: {
            ok: boolean;
            accounts: number;
            entries: number;
            books: components["schemas"]["LedgerBooks"];
            /** @description At most 1,000. */
            violations: {
                rule: string;
                account_id: string | null;
                detail: string;
            }[];
            /** @description The account at which the next report continues; null if all were checked. It may be the same one again. */
            next_account_id: string | null;
            /** @description Runs of the open months and full ones only: where to continue; null at the end. */
            next_cursor?: string | null;
        };
        /** @description The result of the periodic verification of all wallets, as the answering process has made it. */
        LedgerVerification: {
            /** @description When its last round ended; null before the first one has. */
            verified_at: string | null;
            violations: number;
            /** @description Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit. */
            drift_micros: number;
        };
        LoggedRequest: {
            id: string;
            at: string;
            account_id: string;
            api_key_id: string;
            method: string;
            route: string | null;
            status: number | null;
            code: string | null;
            /** @description What the error says, and the field or parameter that it names. */
            message: string | null;
            param: string | null;
            /** @description The size of the body as the client stated it; the body itself is never kept. */
            bytes: number | null;
            duration_ms: number;
            job_id: string | null;
            /** @description Whether a page of the console has sent it. */
            from_console: boolean;
        };
        /** @description A LoRA as the request named it. */
        LoraInput: {
            id?: string;
            url?: string;
            low_url?: string;
            strength?: number;
        };
        Member: {
            user_id: string;
            email: string;
            /** @enum {string} */
            role: "billing" | "developer" | "owner" | "viewer";
            created_at: string;
        };
        /** @description An account in which the person of a session works. */
        MemberAccount: {
            account_id: string;
            name: string;
            /** @enum {string} */
            role: "billing" | "developer" | "owner" | "viewer";
        };
        MemberList: {
            members: components["schemas"]["Member"][];
            /** @description Those that wait. */
            invitations: components["schemas"]["Invitation"][];
        };
        /** @description The models and features that jobs can use. */
        Model: {
            id: string;
            /** @constant */
            object: "model";
            /** @enum {string} */
            type: "image" | "video";
            label: string;
            description: string | null;
            capabilities: components["schemas"]["ModelCapabilities"];
            price: components["schemas"]["ModelPrice"] | null;
            license: string | null;
        };
        /** @description What a model can do; further keys may appear. */
        ModelCapabilities: {
            /** @description Makes images from a prompt. */
            t2i?: boolean;
            /** @description Edits images as instructed. */
            edit?: boolean;
            img2img?: boolean;
            inpaint?: boolean;
            /** @description Makes videos from a start frame. */
            i2v?: boolean;
            /** @description The sizes to choose from, the default first. */
            sizes?: string[];
            /** @description The durations to choose from, in seconds. */
            durations?: number[];
            fps?: number;
            /** @description The maximum number of images of one job. */
            max_n?: number;
            /** @description The maximum number of reference images of one job. */
            max_refs?: number;
            /** @description The `steps` that a generation may have; left out where it may have none. */
            steps?: components["schemas"]["DefaultedBounds"];
            /** @description The `guidance` that a generation may have; left out where it may have none. */
            guidance?: components["schemas"]["DefaultedBounds"];
            /** @description The pixels of each side that an edit may have. */
            output_side?: components["schemas"]["Bounds"];
            /**
             * @description The allowed sources of its LoRAs: the catalog, or also any URL.
             * @enum {string}
             */
            loras?: "catalog" | "url";
            /** @description True if the images are drawn by code instead of a model. */
            sandbox?: boolean;
        } & {
            [key: string]: unknown;
        };
        ModelDetails: {
            model: components["schemas"]["Model"];
            enabled: boolean;
            routes: components["schemas"]["RouteDetails"][];
            /** @description As in `UnitPrice`. */
            micros_by_size?: {
                [key: string]: number;
            };
            price_changes?: number[];
        };
        /** @description Whether the inputs that an enabled model accepts can run on the instances of its routes. */
        ModelExamination: {
            id: string;
            /** @description The instances of its routes. */
            providers: string[];
            problems: string[];
        };
        /** @description The price of one unit. */
        ModelPrice: {
            /** @description Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit. */
            micros: number;
            usd: number;
            /**
             * @description The currency.
             * @constant
             */
            unit: "usd";
            /**
             * @description What one unit is: an image, or a second of video.
             * @enum {string}
             */
            per: "image" | "second";
            note?: string;
        };
        /** @description The jobs of one model that have not ended, among the 20,000 with the next deadlines. */
        ModelQueueTotals: {
            model: string;
            waiting: number;
            processing: number;
            /** @description Null where none waits. */
            oldest_waiting_seconds: number | null;
        };
        /** @enum {string} */
        ModerationStatus: "blocked" | "passed" | "pending";
        /** @description The opening balance, the entries, what was charged and what is reserved add up to the closing balance. */
        MonthStatement: {
            month: string;
            billing_details: components["schemas"]["BillingDetails"] | null;
            /** @description Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit. */
            opening_micros: number;
            /** @description Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit. */
            closing_micros: number;
            charged_jobs: number;
            /** @description Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit. */
            charged_micros: number;
            /** @description The change of what jobs in flight hold. */
            reserved_micros: number;
            /** @description The moves other than those of jobs, oldest first. */
            entries: components["schemas"]["StatementEntry"][];
            /** @description The page of the statement that begins with the last entry of the month. */
            cursor: string;
            /**
             * @description The entries are archived, and left out here: `entries` is empty.
             * @constant
             */
            archived?: true;
        };
        /** @description A page of an operator's list: at most the requested number of items, and fewer if a message carries no more. */
        objectList: {
            data: Record<string, never>[];
            /** @description Whether more follow; none where this is left out. */
            has_more?: boolean;
            /** @description The `cursor` of the next page; null on the last one. */
            next_cursor?: string | null;
        };
        /** @description The key and the secret are shown once: only a hash of the key is stored. */
        OpenedAccount: {
            account_id: string;
            api_key: string;
            webhook_secret: string;
        };
        /** @description One change that an operator, or a key of the account, made to an account. */
        OperatorAction: {
            action: string;
            actor: string | null;
            /** @description The key of the account that made the change, if it was no operator. */
            api_key_id?: string | null;
            reason: string | null;
            /** @description The parameters of the request. */
            details: {
                [key: string]: unknown;
            };
            created_at: string;
        };
        OperatorActionList: {
            /** @description Whether older ones follow. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last one. */
            next_cursor: string | null;
            data: components["schemas"]["OperatorAction"][];
        };
        /** @description A person who signs in to the operators' half of the console. */
        OperatorDetails: {
            user_id: string;
            email: string;
            /** @enum {string} */
            role: "finance" | "owner" | "support" | "viewer";
            /**
             * @description `local` signs in with a password, `oidc` at the identity provider; `invited` has not used the setup link yet.
             * @enum {string}
             */
            sign_in: "invited" | "local" | "oidc";
            created_by: string | null;
            created_at: string;
            disabled_at: string | null;
        };
        /** @description The session of the browser that asks, or that it has none, and how it can get one. */
        OperatorSession: {
            kind: "operator" | null;
            csrf_token: string | null;
            user: {
                id: string;
                email: string;
                /** @enum {string} */
                role: "finance" | "owner" | "support" | "viewer";
            } | null;
            permissions: ("cancel_jobs" | "change_limits" | "change_money" | "change_status" | "create_accounts" | "lift_strikes" | "manage_users" | "open_portal" | "redeliver" | "refund_jobs" | "replay_policy" | "switch_models" | "verify_ledger" | "view" | "view_audit" | "view_media")[];
            /** @description Until when actions that need the password run without it. */
            confirmed_until: string | null;
            expires_at: string | null;
            /** @description Whether there is no operator yet: the setup link then makes the first one. */
            needs_setup: boolean;
            /** @description Whether operators can sign in at an identity provider. */
            has_oidc: boolean;
        };
        /** @description The whole service at a glance. A part whose service does not answer is null, and the others are shown. */
        Overview: {
            jobs: components["schemas"]["JobTotals"] | null;
            instances: components["schemas"]["ComputeInstance"][] | null;
            ledger: components["schemas"]["LedgerDays"] | null;
            /** @description The last runs of `kinora doctor` and `kinora ledger verify`, of those that have run. */
            checks: components["schemas"]["CheckResult"][];
            /** @description Whether an operator has confirmed that a backup is set up. */
            has_backup: boolean;
        };
        /** @description A signed-in browser, as another one of the same key sees it. */
        OwnSession: {
            id: string;
            is_current: boolean;
            /** @description Whether a portal link opened it. */
            is_portal: boolean;
            key_prefix: string | null;
            /** @description Who has signed in with a password; null for a key or a portal link. */
            member_email: string | null;
            address: string;
            user_agent: string;
            created_at: string;
            expires_at: string;
        };
        /** @description One charge of an account. */
        PaymentDetails: {
            payment_id: string;
            provider: string;
            /** @description Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit. */
            amount_micros: number;
            /**
             * @description Unknown: the charge was sent, and its outcome is queried until it is known.
             * @enum {string}
             */
            state: "begun" | "failed" | "succeeded" | "unknown";
            /** @description The provider's id of the charge. */
            reference: string | null;
            failure: string | null;
            /**
             * @description `checkout`: by a page of the payment provider. `recharge`: of a saved card, by auto-recharge.
             * @enum {string}
             */
            kind?: "checkout" | "recharge";
            /** @description The invoice at the payment provider. */
            invoice_url?: string | null;
            /** @description What operators have given back of it. */
            refunded_micros?: number;
            /** @description The last dispute about it. */
            dispute?: ("lost" | "open" | "won") | null;
            created_at: string;
            ended_at: string | null;
        };
        PaymentDetailsList: {
            /** @description Whether older ones follow. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last one. */
            next_cursor: string | null;
            data: components["schemas"]["PaymentDetails"][];
        };
        PaymentRefundDetails: {
            refund_id: string;
            payment_id: string;
            /** @description Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit. */
            amount_micros: number;
            /**
             * @description `begun`: it has left the balance, and the provider has not answered yet. `failed`: it is in the balance again.
             * @enum {string}
             */
            state: "begun" | "failed" | "succeeded";
        };
        PolicyReplay: {
            checked: number;
            changes: components["schemas"]["ReplayedChange"][];
            /** @description Engines whose recorded findings were reused: they need the content, of which only hashes are kept. */
            as_recorded: string[];
            /** @description Null at the end. */
            next_before_decision_id: string | null;
        };
        /** @description A link that signs a browser in to an account of a customer, once. */
        PortalLink: {
            url: string;
            expires_at: string;
        };
        /** @description What an operator has set. It never changes: of those that have begun, the one that began last is in force. */
        PriceChange: {
            id: number;
            /** @description Null for the factor of a price group. */
            model: string | null;
            /** @description Null for the price list. */
            price_group: string | null;
            /** @description Null for a factor, and where an earlier price was ended. */
            micros: number | null;
            micros_by_size: {
                [key: string]: number;
            };
            factor_basis_points: number | null;
            effective_from: string;
            created_at: string;
            actor: string | null;
            reason: string | null;
        };
        PriceChangeList: {
            /** @description Whether older ones follow. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last one. */
            next_cursor: string | null;
            data: components["schemas"]["PriceChange"][];
        };
        /** @description What is known about the origin of a file. */
        ProvenanceCheck: {
            /** @constant */
            object: "provenance.check";
            result: components["schemas"]["ProvenanceResult"];
            /** @description Null for a file without a credential. */
            credential: components["schemas"]["ProvenanceCredential"] | null;
            /** @description Null where this service has made nothing like it. Given also beside a credential. */
            match: components["schemas"]["ProvenanceMatch"] | null;
        };
        /** @description The content credential (C2PA) in a file. Every text is the word of its signer. */
        ProvenanceCredential: {
            /** @description Whether the signature is right and the file was not changed since. False also for a credential that cannot be read. */
            valid: boolean;
            /** @description Whether the certificate leads to a root that this service trusts. */
            trusted: boolean;
            /** @description Whether this service has signed it. */
            ours: boolean;
            signer: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, in UTC.
             */
            created_at: string | null;
            model: string | null;
            /** @description IPTC digital source type, as a URL. */
            digital_source_type: string | null;
            /** @description At most 20. */
            ingredients: components["schemas"]["ProvenanceIngredient"][];
        };
        /** @description A file that was used to make another one, as the credential of that one states it. */
        ProvenanceIngredient: {
            title: string | null;
            /** @description Whether its own credential was valid; null for one without a credential. */
            valid: boolean | null;
            signer: string | null;
            digital_source_type: string | null;
        };
        /** @description An output of this service that is the file, or looks the same. */
        ProvenanceMatch: {
            /** @description Whether it is this file, byte by byte. */
            exact: boolean;
            /** @description In how many of 256 bits the perceptual hashes differ; unrelated images differ in about 128. */
            distance_bits: number;
            /**
             * Format: date-time
             * @description RFC 3339, in UTC.
             */
            created_at: string;
            /** @description Null where it was not recorded. */
            model: string | null;
        };
        /**
         * @description `credential`: the file has a valid credential. `match`: it is an output of this service. `similar`: it looks like one. `unknown`: none of them, which does not mean that no system has made it.
         * @enum {string}
         */
        ProvenanceResult: "credential" | "match" | "similar" | "unknown";
        /** @description The result of examining an instance of a compute provider; the examination creates no output. */
        ProviderExamination: {
            id: string;
            type: string;
            /** @enum {string} */
            state: "degraded" | "down" | "up";
            version?: string;
            free_slots?: number;
            /** @description Problems for the operator to fix, in whole sentences; empty if there are none. */
            problems: string[];
            /** @description What would make it faster, although nothing is wrong. */
            advice?: string;
        };
        /** @description How the price of a job came about. */
        ReceiptPrice: {
            /** @description Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit. */
            micros: number;
            /** @constant */
            currency: "USD";
            /** @description The price of one unit. This and the three below are null for jobs that were accepted before receipts existed. */
            unit_micros: number | null;
            /** @description What a unit is. */
            per: ("image" | "second") | null;
            /** @description Images, or seconds of video. */
            quantity: number | null;
            /** @description What the operator had set for `unit_micros`, by id; left out where the catalog set it, or an earlier version of Kinora. */
            price_changes?: number[];
            /** @description `catalog`: the price list at the creation. `hold`: the amount that an earlier attempt at the same request had reserved; it stays, although the price list has changed since. `quote`: the price that `quote_id` held. */
            source: ("catalog" | "hold" | "quote") | null;
            quote_id: string | null;
        };
        /** @description A page of the sandbox provider, at which no money moves. */
        Rehearsal: {
            payment_id: string;
            /** @description Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit. */
            amount_micros: number;
            /** @enum {string} */
            state: "expired" | "open" | "paid";
            saves_card: boolean;
            /** @description Where the customer goes back to. */
            return_url: string;
            /** @description The cards that the customer can pay with. */
            cards: {
                card: string;
                label: string;
                number: string;
            }[];
        };
        /** @description Decisions with the same outcome under both policies. */
        ReplayedChange: {
            /** @enum {string} */
            stage: "input" | "output";
            /** @enum {string} */
            from: "blocked" | "passed";
            to: components["schemas"]["ReplayedVerdict"];
            /** @description Decisions that would be blocked now, that were blocked before, or whose outcome is unknown. */
            engine: string | null;
            reason: string | null;
            decisions: number;
            /** @description The newest of them. */
            decision_ids: string[];
        };
        /**
         * @description `unknown`: the records are not sufficient, for example for an engine that was not called then.
         * @enum {string}
         */
        ReplayedVerdict: "blocked" | "passed" | "unknown";
        RequestPage: {
            data: components["schemas"]["LoggedRequest"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        /** @description A route as operators see it. */
        RouteDetails: {
            /** @description What one unit of the model's price costs at the provider, if the catalog says so. */
            cost_micros?: number;
            /** @description The watermark that the backend itself leaves in the pixels, such as `synthid`, if the catalog says so. */
            upstream_mark?: string;
            /** @description An instance of a compute provider. */
            provider: string;
            /** @description What the instance runs for this model: a graph, an upstream model, a version. */
            template?: string;
            /** @description Its share of the work among routes of the same order. */
            weight: number;
            /** @description Routes of a higher order receive work only if those of a lower one cannot; 0 by default. */
            order?: number;
            /** @description How long the instance needs to load the model, until jobs has measured it. */
            load_ms?: number;
            /**
             * @description What writes a watermark into the pixels of its images: the operator's marker behind HTTP, or nothing (the default).
             * @enum {string}
             */
            marker?: "http" | "none";
        };
        /** @description Run times at an instance, of the jobs of a model that succeeded in the last hour. */
        RunTimes: {
            model: string;
            jobs: number;
            p50_ms: number;
            p95_ms: number;
        };
        /** @description What an installation needs besides running: null where its service does not answer. */
        Setup: {
            has_accounts: boolean | null;
            /** @description Whether a mail server takes what is sent to customers. */
            sends_mail: boolean | null;
            /** @description Whether customers can pay, and the provider answers. */
            takes_payments: boolean | null;
        };
        /** @description Without the ids of the payment provider. */
        ShownAutoRecharge: {
            enabled: boolean;
            threshold_micros: number;
            amount_micros: number;
            monthly_cap_micros: number | null;
            /** @description Consecutive failures so far. */
            failures: number;
            /** @description Why Kinora switched it off; null if it did not. */
            stopped_reason: string | null;
        };
        /** @description An e-mail as operators see it. */
        ShownEmail: {
            email_id: string;
            /** @description Its cause, such as `sign_up`. */
            kind: string;
            recipient: string;
            account_id: string | null;
            subject: string;
            /** @enum {string} */
            state: "given_up" | "sent" | "waiting";
            attempts: number;
            /** @description Of the last attempt; null where it succeeded. */
            failure: string | null;
            created_at: string;
            sent_at: string | null;
            /** @description Its text, where e-mail goes to a folder for trials; null elsewhere, because links in it sign in. */
            text: string | null;
        };
        ShownEmailList: {
            /** @description Whether older ones follow. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last one. */
            next_cursor: string | null;
            data: components["schemas"]["ShownEmail"][];
        };
        /** @description A link as its page shows it. */
        ShownLink: {
            /** @enum {string} */
            purpose: "invitation" | "reset" | "sign_up";
            email: string;
            role: ("billing" | "developer" | "owner" | "viewer") | null;
            /** @description Whether the user repeats a password, and does not choose one. */
            has_password: boolean;
        };
        ShownPayment: {
            /**
             * @description `checkout`: by a page of the payment provider. `recharge`: of a saved card, by auto-recharge.
             * @enum {string}
             */
            kind?: "checkout" | "recharge";
            amount_micros: number;
            payment_id: string;
            provider: string;
            /**
             * @description Unknown: the charge was sent, and its outcome is queried until it is known.
             * @enum {string}
             */
            state: "begun" | "failed" | "succeeded" | "unknown";
            failure: string | null;
            /** @description The invoice at the payment provider. */
            invoice_url?: string | null;
            /** @description What operators have given back of it. */
            refunded_micros?: number;
            /** @description The last dispute about it. */
            dispute?: ("lost" | "open" | "won") | null;
            created_at: string;
            ended_at: string | null;
        };
        /** @description A page of an operator's list: at most the requested number of items, and fewer if a message carries no more. */
        ShownPaymentList: {
            data: components["schemas"]["ShownPayment"][];
            /** @description Whether more follow; none where this is left out. */
            has_more?: boolean;
            /** @description The `cursor` of the next page; null on the last one. */
            next_cursor?: string | null;
        };
        /** @description One move of the account's money. */
        StatementEntry: {
            /** @constant */
            object: "statement_entry";
            id: string;
            /**
             * @description `reserve` holds the price of a job, and its end is either `capture`, which charges it, or `refund`. `top_up`, `credit` and `adjustment` are made by the operator.
             * @enum {string}
             */
            kind: "adjustment" | "capture" | "credit" | "refund" | "reserve" | "top_up";
            /**
             * @description Of an adjustment that a payment has led to.
             * @enum {string}
             */
            cause?: "debt_payment" | "dispute" | "payment_refund";
            /** @description Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit. */
            amount_micros: number;
            /** @description The change of the balance: 0 for a capture, whose amount left the balance with the reserve. */
            balance_delta_micros: number;
            /** @description What could be spent after the entry. */
            balance_after_micros: number;
            /**
             * Format: uuid
             * @description The job that was reserved, charged or refunded; null for other kinds.
             */
            job_id: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, in UTC.
             */
            created_at: string;
        };
        /** @description One entry of an account's statement with the balance after it. The newest is last. */
        StatementLine: {
            entry_id: string;
            /** @enum {string} */
            kind: "adjustment" | "capture" | "credit" | "refund" | "reserve" | "top_up";
            /**
             * @description Of an adjustment that a payment has led to.
             * @enum {string}
             */
            cause?: "debt_payment" | "dispute" | "payment_refund";
            /** @description Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit. */
            amount_micros: number;
            /** @description The change of the available balance. */
            balance_delta_micros: number;
            /** @description Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit. */
            balance_after_micros: number;
            job_id: string | null;
            reason: string | null;
            /** @description The reference of a top-up or a credit, if one was given. */
            reference?: string | null;
            created_at: string;
        };
        StatementLineList: {
            /** @description Whether older ones follow. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last one. */
            next_cursor: string | null;
            data: components["schemas"]["StatementLine"][];
        };
        StrikeDetails: {
            strike_id: string;
            account_id: string;
            job_id: string;
            decision_id: string;
            created_at: string;
            lifted_at: string | null;
            lifted_by: string | null;
            lift_reason: string | null;
        };
        StrikeDetailsList: {
            /** @description Whether older ones follow. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last one. */
            next_cursor: string | null;
            data: components["schemas"]["StrikeDetails"][];
        };
        /** @description The account after the change, and the entry in its statement. */
        ToppedUpAccount: {
            /** @description The entry, also that of an earlier request with the same reference. */
            entry_id?: string;
            /** @description Whether an earlier request with the same reference has created the entry already. */
            entry_repeated?: boolean;
            account_id: string;
            name: string;
            /** @enum {string} */
            status: "active" | "closed" | "paused" | "suspended";
            status_reason: string | null;
            /** @description Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit. */
            balance_micros: number;
            /** @description Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit. */
            held_micros: number;
            /** @description Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit. */
            spent_micros: number;
            in_flight_jobs: number;
            /** @description What is owed for payments that went back; the next top-up pays it first. */
            owed_micros?: number;
            rate_limit_rpm: number;
            max_concurrent_jobs: number;
            retention_days: number;
            /** @description Null where it pays the price list. */
            price_group?: string | null;
            /** @description Null if it was never configured. */
            auto_recharge: components["schemas"]["AutoRechargeDetails"] | null;
            created_at: string;
        };
        /** @description What a customer may pay in, as the operator has set it. */
        TopUpOffer: {
            /** @description The payment provider that shows the page; null if this installation takes no payments. */
            provider: string | null;
            /** @description Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit. */
            min_micros: number;
            /** @description Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit. */
            max_micros: number;
            /** @description Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit. */
            suggestions_micros: number[];
        };
        /** @description An attempt whose submission was sent and whose answer was lost: the backend is asked until its state is known. */
        UnknownAttempt: {
            job_id: string;
            number: number;
            provider: string;
            /** @description When the backend last reported a state of it. */
            checked_at: string;
        };
        /** @description What a chart shows beyond the public report of usage. */
        UsageDetails: {
            /** @description Groups that have cost something, in the order of the days. */
            spend: {
                /** Format: date */
                day: string;
                model: string;
                /** @description Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit. */
                charged_micros: number;
            }[];
            /** @description From the creation to the end, of the newest jobs of the period that succeeded; null without one. */
            latency: {
                jobs: number;
                p50_ms: number;
                p95_ms: number;
            } | null;
        };
        /** @description The parameters of a video, with every default filled in. */
        VideoGenerationInput: {
            /** @description The model that makes the video. */
            model: string;
            /** @description The start frame. */
            image?: components["schemas"]["ImageRef"];
            /** @description Only in a job from before 1.0.0: its start frame, instead of `image`. */
            images?: components["schemas"]["ImageRef"][];
            /** @description Width, the letter x, height. */
            size: string;
            /**
             * @description Seconds.
             * @enum {number}
             */
            duration: 5 | 8;
            /** @description The seed of the video. */
            seed: number;
            /** @description Applied in this order. */
            loras?: components["schemas"]["LoraInput"][];
            /** @description What moves, and how. Passed to the model verbatim. */
            prompt?: string;
            /** @description What the result should not show. */
            negative_prompt?: string;
        } & {
            [key: string]: unknown;
        };
        /** @description A video that a job made. */
        VideoOutput: {
            /**
             * Format: uri
             * @description Signed: any client with this URL can download the file, for at most 7 days and never past `expires_at`; null once it is deleted.
             */
            url: string | null;
            mime: string;
            /** @description Seconds. */
            duration: number | null;
            /** @description Frames a second. */
            fps: number | null;
            /** @description Pixels. */
            width: number | null;
            /** @description Pixels. */
            height: number | null;
            bytes: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
