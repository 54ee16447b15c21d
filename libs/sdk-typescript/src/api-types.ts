// Generated from apps/gateway/openapi.json by `npm run generate -- clients`.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The paying customer: its balance and its limits. */
        Account: {
            /** @constant */
            object: "account";
            /** Format: uuid */
            id: string;
            name: string;
            /**
             * @description Anything but `active` refuses new jobs.
             * @enum {string}
             */
            status: "active" | "closed" | "paused" | "suspended";
            /** @constant */
            currency: "USD";
            /** @description What can still be spent, in micro-USD: reservations are already subtracted. */
            balance_micros: number;
            balance_usd: number;
            /** @description Requests a minute that each key may make. */
            rate_limit_rpm: number;
            /** @description Jobs that may be in flight at once. */
            max_concurrent_jobs: number;
            /** @description Days after the end of a job at which its outputs are deleted. */
            retention_days: number;
            auto_recharge: {
                enabled: boolean;
                threshold_usd: number | null;
                amount_usd: number | null;
            };
            /** @description Whether webhooks of this account are signed. */
            webhook_signing_configured: boolean;
            /** @description The key of this request; its prefix is enough to recognise it. */
            api_key: {
                id: string;
                name: string;
                prefix: string;
            };
            /**
             * Format: date-time
             * @description RFC 3339, in UTC.
             */
            created_at: string;
        };
        /** @description A page of the statement, newest first. */
        AccountStatementList: {
            archived?: components["schemas"]["ArchivedStatement"];
            /** @description Whether older ones follow. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last one. */
            next_cursor: string | null;
            /** @constant */
            object: "list";
            data: components["schemas"]["StatementEntry"][];
        };
        /** @description A key of the account, without its secret. */
        ApiKey: {
            /** @constant */
            object: "api_key";
            /** Format: uuid */
            id: string;
            name: string;
            /** @description The first characters of its secret, which suffice to recognise it. */
            prefix: string;
            /**
             * @description What it may do; each scope includes those before it.
             * @enum {string}
             */
            scope: "account" | "jobs" | "read";
            /** @description The models that it may create jobs with; null for any. */
            models: string[] | null;
            /** @description What its jobs of one period may cost; null if only the balance of the account limits it. */
            budget_micros: number | null;
            /** @description Days and months are those of UTC. Null without a budget. */
            budget_period: ("day" | "month") | null;
            /** @description What its jobs of the current period have reserved and cost; null without a budget. */
            spent_micros: number | null;
            /**
             * Format: date-time
             * @description When it stops working; null if it never does.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, in UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Precise to a minute; null if it was never used.
             */
            last_used_at: string | null;
        };
        /** @description A page of keys, newest first, without revoked ones. */
        ApiKeyList: {
            /** @description Whether older ones follow. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last one. */
            next_cursor: string | null;
            /** @constant */
            object: "list";
            data: components["schemas"]["ApiKey"][];
        };
        /** @description An appeal as its customer sees it. */
        Appeal: {
            /** @constant */
            object: "appeal";
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            job_id: string;
            /**
             * Format: uuid
             * @description The decision that blocked the output.
             */
            decision_id: string;
            /** @description `open` until an operator has decided: `upheld`, and the block stays, or `lifted`, and its strike no longer counts. */
            status: components["schemas"]["AppealStatus"];
            /**
             * Format: date-time
             * @description RFC 3339, in UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description RFC 3339, in UTC.
             */
            decided_at: string | null;
            /** @description Why the operator decided so; null while it is open. */
            reason: string | null;
        };
        /** @description The body of (API: POST /jobs/{id}/appeal). */
        AppealBody: {
            /** @description Why the block is wrong. An operator reads it beside the record of the decision; the output itself is not kept. */
            text: string;
        };
        /**
         * @description `upheld`: the block stays. `lifted`: it was wrong, and its strike no longer counts.
         * @enum {string}
         */
        AppealStatus: "lifted" | "open" | "upheld";
        /** @description On the last page, where older entries are archived: they are not listed. */
        ArchivedStatement: {
            /** @description The last archived month in UTC, such as 2026-11. */
            through: string;
            /** @description The balance at its end, and thus before the oldest entry that is listed. */
            closing_micros: number;
        };
        /** @description The values that a model accepts, both ends included. */
        Bounds: {
            min: number;
            max: number;
        };
        /** @description A new key. It may do no more than the key that creates it. */
        CreateAccountKeyBody: {
            /** @description What the account calls it. */
            name: string;
            /**
             * @description What it may do.
             * @default jobs
             * @enum {unknown}
             */
            scope?: "read" | "jobs" | "account" | null;
            /** @description The only models that it may create jobs with; those of the creating key when left out. */
            models?: string[] | null;
            /** @description What its jobs of one period may cost; give `budget_period` as well. A creating key with a budget must name one, which is taken from its own. */
            budget_micros?: number | null;
            /**
             * @description The period of the budget, in UTC.
             * @enum {unknown}
             */
            budget_period?: "day" | "month" | null;
            /**
             * Format: date-time
             * @description When it stops working: RFC 3339 with an offset, in the future. When left out, the expiry of the creating key.
             */
            expires_at?: string | null;
        };
        /** @description The same, with the value of a request that gives none. */
        DefaultedBounds: {
            default: number;
            min: number;
            max: number;
        };
        /** @description A key that was revoked. */
        DeletedApiKey: {
            /** @constant */
            object: "api_key";
            /** Format: uuid */
            id: string;
            /** @constant */
            deleted: true;
        };
        /** @description The body of every error response. */
        ErrorEnvelope: {
            error: {
                /** @enum {string} */
                type: "api_error" | "authentication_error" | "capacity_error" | "content_blocked" | "idempotency_conflict" | "insufficient_balance" | "invalid_request_error" | "not_found" | "permission_error" | "rate_limit_error";
                /** @enum {string} */
                code: "account_closed" | "account_paused" | "account_suspended" | "capacity" | "concurrency_limit" | "content_blocked_input" | "content_blocked_prompt" | "exceeds_key" | "idempotency_conflict" | "insufficient_balance" | "internal_error" | "invalid_api_key" | "invalid_body" | "invalid_content_type" | "invalid_idempotency_key" | "invalid_json" | "invalid_query" | "job_in_flight" | "key_budget_exceeded" | "last_account_key" | "model_not_allowed" | "model_unavailable" | "not_found" | "quote_expired" | "quote_mismatch" | "rate_limited" | "scope_required" | "too_many_keys";
                /** @description For humans; the wording may change. */
                message: string;
                /** @description The offending field or parameter with its path, such as `loras[1].url`. */
                param?: string;
                /** @description The same as the header `X-Request-Id`. */
                request_id: string;
            };
        };
        /** @description A page of the account's events, oldest first. */
        EventList: {
            /** @description Whether later ones follow. */
            has_more: boolean;
            /** @description The `after` of the next page, or of a later request for new events; null while there has been no event. */
            next_cursor: string | null;
            /** @constant */
            object: "list";
            data: components["schemas"]["WebhookEvent"][];
        };
        /** @description The request for an edit: one to three images, in `image`, in `images`, or in both, which are then joined. */
        ImageEditBody: {
            /** @description The instruction, passed to the model verbatim. */
            prompt: string;
            /**
             * @description A model that can do `edit`.
             * @default image-edit
             */
            model?: string | null;
            /** @description A public https URL, or a data URI in base64. */
            image?: string | null;
            /** @description Public https URLs, or data URIs in base64. */
            images?: string[] | null;
            /** @description What the result should not show. */
            negative_prompt?: string | null;
            /** @description Width, the letter x, height, within the bounds of the model; the size of the first image when left out. */
            size?: string | null;
            /** @description The same seed and request make the same result; random when left out. */
            seed?: number | null;
            /**
             * @description The file type of the result.
             * @default png
             * @enum {unknown}
             */
            output_format?: "png" | "jpeg" | "webp" | null;
            /**
             * Format: uri
             * @description Receives the event of the end of the job: a public https URL, port 443 or 8443, without user info.
             */
            webhook_url?: string | null;
            /** @description Stored with the job and included in webhooks; not interpreted by the service. */
            metadata?: {
                [key: string]: string;
            } | null;
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
        /** @description The request for a text-to-image job. */
        ImageGenerationBody: {
            /** @description The prompt, passed to the model verbatim. */
            prompt: string;
            /**
             * @description A model with the capability `t2i` (text to image).
             * @default general-image
             */
            model?: string | null;
            /** @description What the result should not show. */
            negative_prompt?: string | null;
            /** @description One of the sizes of the model: width, the letter x, height. Wins over `aspect_ratio`; the first size that the model lists when both are left out. */
            size?: string | null;
            /**
             * @description Picks the nearest of the sizes of the model.
             * @enum {unknown}
             */
            aspect_ratio?: "1:1" | "4:5" | "2:3" | "5:4" | "3:2" | "16:9" | "9:16" | null;
            /**
             * @description How many images; the model may allow fewer.
             * @default 1
             */
            n?: number | null;
            /** @description The same seed and request make the same image; random when left out. Image i has the seed plus i. */
            seed?: number | null;
            /** @description The number of sampling steps. The model sets the default and the limits. */
            steps?: number | null;
            /** @description How closely the model follows the prompt. The model sets the default and the limits. */
            guidance?: number | null;
            /** @description Applied in this order. */
            loras?: components["schemas"]["LoraBody"][] | null;
            /**
             * @description The file type of the result.
             * @default png
             * @enum {unknown}
             */
            output_format?: "png" | "jpeg" | "webp" | null;
            /**
             * Format: uri
             * @description Receives the event of the end of the job: a public https URL, port 443 or 8443, without user info.
             */
            webhook_url?: string | null;
            /** @description Stored with the job and included in webhooks; not interpreted by the service. */
            metadata?: {
                [key: string]: string;
            } | null;
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
        /** @description A key with a new secret. */
        IssuedApiKey: {
            /** @description The secret. It is in this response only, and cannot be read again. */
            api_key: string;
            /** @constant */
            object: "api_key";
            /** Format: uuid */
            id: string;
            name: string;
            /** @description The first characters of its secret, which suffice to recognise it. */
            prefix: string;
            /**
             * @description What it may do; each scope includes those before it.
             * @enum {string}
             */
            scope: "account" | "jobs" | "read";
            /** @description The models that it may create jobs with; null for any. */
            models: string[] | null;
            /** @description What its jobs of one period may cost; null if only the balance of the account limits it. */
            budget_micros: number | null;
            /** @description Days and months are those of UTC. Null without a budget. */
            budget_period: ("day" | "month") | null;
            /** @description What its jobs of the current period have reserved and cost; null without a budget. */
            spent_micros: number | null;
            /**
             * Format: date-time
             * @description When it stops working; null if it never does.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, in UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Precise to a minute; null if it was never used.
             */
            last_used_at: string | null;
        };
        /** @description The secret, in this answer only. */
        IssuedWebhookSecret: {
            /** @description Signs the webhooks of the account from now on. It is in this response only, and cannot be read again. */
            webhook_secret: string;
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
        JobInput: components["schemas"]["ImageEditInput"] | components["schemas"]["ImageGenerationInput"] | components["schemas"]["VideoGenerationInput"];
        JobList: {
            /** @description Whether older ones follow. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last one. */
            next_cursor: string | null;
            /** @constant */
            object: "list";
            data: components["schemas"]["Job"][];
        };
        /** @description Where a job stands. */
        JobProgress: {
            /** @constant */
            object: "job.progress";
            /** Format: uuid */
            job_id: string;
            /** @enum {string} */
            status: "canceled" | "failed" | "processing" | "queued" | "succeeded";
            /** @description 0 to 1, as the compute backend reports it; never falls. Null where the backend reports nothing. */
            progress: number | null;
            /** @description While `queued`: how many jobs the fair queue serves before this one, 0 for the next; null otherwise. Beyond 500 it is rounded down to hundreds. */
            queue_position: number | null;
            /** @description Estimated seconds until the end, from the run times of the last hour; null where there are none, and after the end. */
            eta_seconds: number | null;
            /**
             * Format: date-time
             * @description When `status` or `progress` last changed.
             */
            updated_at: string;
        };
        /** @description The price of a job. */
        JobUsage: {
            /** @description In micro-USD: the reserved amount while in flight, 0 after a refund. */
            charged_micros: number;
            charged_usd: number;
            /** @description As the provider reports it; null if it reports none. */
            gpu_ms: number | null;
        };
        /** @description A small addition to a model that changes its style. */
        Lora: {
            id: string;
            /** @constant */
            object: "lora";
            /** @description The models that it was made for. */
            compatible_models: string[];
            label: string;
            description: string | null;
            /** @description The default of `strength`. */
            default_strength: number;
            /** @description Words that a prompt should contain for the LoRA to have an effect. */
            triggers: string | null;
            license: string | null;
        };
        /** @description A LoRA, by exactly one of `id` and `url`. */
        LoraBody: {
            /** @description A LoRA of the catalog. */
            id?: string | null;
            /**
             * Format: uri
             * @description A public https URL of a file in the safetensors format, whatever its name, for models that accept one; for videos the file of the high-noise expert.
             */
            url?: string | null;
            /** @description The strength of its effect; the default of the catalog, or 0.8, when left out. */
            strength?: number | null;
        };
        /** @description A LoRA as the request named it. */
        LoraInput: {
            id?: string;
            url?: string;
            low_url?: string;
            strength?: number;
        };
        /** @description The LoRAs of the catalog, or those that one model accepts. */
        LoraList: {
            /** @description The model of the query. */
            model?: string;
            /** @description Whether that model also accepts LoRAs by URL. */
            byo_urls?: boolean;
            /** @constant */
            object: "list";
            data: components["schemas"]["Lora"][];
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
        /** @description A complete list. */
        ModelList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Model"][];
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
        /** @enum {string} */
        ModerationStatus: "blocked" | "passed" | "pending";
        /** @enum {string} */
        OperationName: "images.edits" | "images.generations" | "videos.generations";
        /** @description How a secret is replaced by a new one. */
        OverlapBody: {
            /**
             * @description For how long the previous secret stays valid beside the new one.
             * @default 0
             */
            overlap_seconds?: number | null;
        };
        /** @description The service is running. */
        Ping: {
            /** @constant */
            ok: true;
            /** @constant */
            service: "kinora";
            /** @description Of the API description. */
            version: string;
            /**
             * Format: date-time
             * @description RFC 3339, in UTC.
             */
            time: string;
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
        /** @description The question where an image comes from. A file can also be the body itself. */
        ProvenanceCheckBody: {
            /** @description A public https URL, or a data URI in base64. */
            image: string;
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
        /** @description What a request would cost now, and whether it would be accepted. Nothing is reserved. */
        Quote: {
            /** @constant */
            object: "quote";
            /** @description Holds the price until `expires_at`, sent as `X-Service-Quote` with the creation; null where there is no price. */
            id: string | null;
            operation: components["schemas"]["OperationName"];
            model: string;
            /** @description Null if the request is refused before its price is known. */
            price: components["schemas"]["QuotedAmount"] | null;
            /** @description The balance after the price was reserved; less than 0 if it cannot be. Null without a price. */
            balance_after_micros: number | null;
            /** @description Whether a creation would pass every check that needs no image and no moderation. */
            would_be_accepted: boolean;
            /** @description In the order of the checks of a creation. */
            refusals: components["schemas"]["Refusal"][];
            /** @description Estimated seconds until the job would end; null where there is nothing to measure by. */
            eta_seconds: number | null;
            /**
             * Format: date-time
             * @description RFC 3339, in UTC.
             */
            expires_at: string | null;
        };
        /** @description The request for a quote. */
        QuoteBody: {
            /**
             * @description The operation that would create the job.
             * @enum {unknown}
             */
            operation: "images.generations" | "images.edits" | "videos.generations";
            /** @description The body of that operation. An image may be left out, or be stated by its sides, such as `{"width": 1280, "height": 720}`: the price of some models depends on the size, which follows from the first image. */
            request: Record<string, never>;
        };
        /** @description The price of a request. */
        QuotedAmount: {
            /** @description Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit. */
            micros: number;
            usd: number;
            /**
             * @description What the price list counts.
             * @enum {string}
             */
            per: "image" | "second";
            /** @description Images, or seconds of video. */
            quantity: number;
        };
        /** @description A signed statement about an ended job. */
        Receipt: {
            /** @constant */
            object: "receipt";
            /** Format: uuid */
            job_id: string;
            payload: components["schemas"]["ReceiptPayload"];
            /** @description A compact JWS (RFC 7515) with EdDSA (Ed25519) over `payload` as canonical JSON (RFC 8785). The public keys are at `/.well-known/jwks.json`, beside `/v1`. */
            jws: string;
        };
        /** @description A verdict of moderation about the inputs or the outputs of the job. */
        ReceiptDecision: {
            /** Format: uuid */
            decision_id: string;
            /** @enum {string} */
            stage: "input" | "output";
            /** @enum {string} */
            verdict: "blocked" | "passed";
            /** @description Null for decisions that were made before versions were recorded. */
            policy_version: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, in UTC.
             */
            at: string;
        };
        /** @description A move of money between the balance of the account, its reservations and the revenue of the service. */
        ReceiptEntry: {
            /** @description Its id in the ledger. */
            ledger_entry_id: string;
            /** @enum {string} */
            kind: "capture" | "refund" | "reserve";
            /** @description Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit. */
            amount_micros: number;
            /**
             * Format: date-time
             * @description RFC 3339, in UTC.
             */
            at: string;
        };
        /** @description What a receipt states. No field depends on content that may be deleted later. */
        ReceiptPayload: {
            /** @constant */
            version: 1;
            /** Format: uuid */
            job_id: string;
            /** Format: uuid */
            account_id: string;
            /** @description The operation that created the job. */
            operation: components["schemas"]["OperationName"];
            model: string;
            outcome: {
                /** @enum {string} */
                status: "canceled" | "failed" | "succeeded";
                error_code: ("capacity" | "content_blocked_input" | "content_blocked_output" | "invalid_output" | "provider_error" | "provider_timeout" | "storage_error") | null;
            };
            /**
             * Format: date-time
             * @description RFC 3339, in UTC.
             */
            accepted_at: string;
            /**
             * Format: date-time
             * @description When a provider began; null if none did.
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, in UTC.
             */
            ended_at: string;
            /** @description How many times the job was given to a provider. */
            attempts: number;
            /** @description As the provider reports it; null if it reports none. */
            gpu_ms: number | null;
            price: components["schemas"]["ReceiptPrice"];
            /** @description The reservation at the creation. */
            hold: components["schemas"]["ReceiptEntry"];
            /** @description Its end: a capture after a success, otherwise a refund. */
            settlement: components["schemas"]["ReceiptEntry"];
            /** @description SHA-256 of the request body as canonical JSON (RFC 8785), in hexadecimal; null for jobs that were accepted before receipts existed. */
            request_sha256: string | null;
            /** @description SHA-256 of each input image as received, in the order of the request; null like `request_sha256`. */
            input_image_sha256: string[] | null;
            /** @description SHA-256 of each output file; null for jobs that ended before hashes were recorded. */
            output_sha256: string[] | null;
            /** @description In their order. */
            moderation: components["schemas"]["ReceiptDecision"][];
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
        /** @description Why a creation would be refused: the error that it would answer. */
        Refusal: {
            /** @description As in the errors of the creation. */
            code: string;
            /** @description The offending field of the request, or null. */
            param: string | null;
            message: string;
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
        /** @description A receiver to try. */
        TestWebhookBody: {
            /**
             * Format: uri
             * @description A public https URL, by the rules of `webhook_url`.
             */
            url: string;
        };
        /** @description The sums over the jobs of a period. */
        Usage: {
            /** @constant */
            object: "usage";
            /**
             * Format: date-time
             * @description Inclusive.
             */
            from: string;
            /**
             * Format: date-time
             * @description Exclusive.
             */
            to: string;
            /** @enum {string} */
            group_by: "day" | "model";
            /** @description The sum of the groups. */
            total: components["schemas"]["UsageCounters"];
            data: components["schemas"]["UsageGroup"][];
            /** @description Whether the requested period exceeds what one answer covers; `from` then gives the actual start. */
            truncated: boolean;
        };
        /** @description The sums over a group of jobs. */
        UsageCounters: {
            jobs: number;
            succeeded: number;
            failed: number;
            canceled: number;
            in_flight: number;
            /** @description In micro-USD: includes reservations of jobs in flight, without refunds. */
            charged_micros: number;
            charged_usd: number;
            gpu_ms: number;
        };
        /** @description One UTC day, or one model. */
        UsageGroup: {
            /** Format: date */
            day: string;
            jobs: number;
            succeeded: number;
            failed: number;
            canceled: number;
            in_flight: number;
            /** @description In micro-USD: includes reservations of jobs in flight, without refunds. */
            charged_micros: number;
            charged_usd: number;
            gpu_ms: number;
        } | {
            model: string;
            jobs: number;
            succeeded: number;
            failed: number;
            canceled: number;
            in_flight: number;
            /** @description In micro-USD: includes reservations of jobs in flight, without refunds. */
            charged_micros: number;
            charged_usd: number;
            gpu_ms: number;
        };
        /** @description The request for a video. */
        VideoGenerationBody: {
            /** @description The start frame: a public https URL, or a data URI in base64. Its aspect ratio is kept. */
            image: string;
            /**
             * @description A model that can do `i2v`.
             * @default image-to-video
             */
            model?: string | null;
            /** @description What moves, and how. Passed to the model verbatim. */
            prompt?: string | null;
            /** @description What the result should not show. */
            negative_prompt?: string | null;
            /**
             * @description Seconds; one of the durations of the model.
             * @default 5
             * @enum {unknown}
             */
            duration?: 5 | 8 | null;
            /** @description The same seed and request make the same result; random when left out. */
            seed?: number | null;
            /** @description Applied in this order. */
            loras?: components["schemas"]["VideoLoraBody"][] | null;
            /**
             * Format: uri
             * @description Receives the event of the end of the job: a public https URL, port 443 or 8443, without user info.
             */
            webhook_url?: string | null;
            /** @description Stored with the job and included in webhooks; not interpreted by the service. */
            metadata?: {
                [key: string]: string;
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
        /** @description A LoRA for videos, by exactly one of `id` and `url`; by URL it may be a pair of files. */
        VideoLoraBody: {
            /**
             * Format: uri
             * @description The file of the low-noise expert; `url` serves both when left out.
             */
            low_url?: string | null;
            /** @description A LoRA of the catalog. */
            id?: string | null;
            /**
             * Format: uri
             * @description A public https URL of a file in the safetensors format, whatever its name, for models that accept one; for videos the file of the high-noise expert.
             */
            url?: string | null;
            /** @description The strength of its effect; the default of the catalog, or 0.8, when left out. */
            strength?: number | null;
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
        /** @description One attempt that has ended. */
        WebhookAttempt: {
            /** @description Counts from 1. */
            number: number;
            /**
             * Format: date-time
             * @description RFC 3339, in UTC.
             */
            ended_at: string;
            /** @description Null if no answer came. */
            response_status: number | null;
            latency_ms: number;
            /** @description The first KiB of the answer as text. Control characters, and secrets and signatures of the account, are replaced. Null if no answer came, or none was kept. */
            response_body: string | null;
            /** @description The class of the failure; null if the receiver acknowledged. */
            error: string | null;
        };
        /** @description An event on its way to a receiver. */
        WebhookDelivery: {
            /** @constant */
            object: "webhook_delivery";
            /**
             * Format: uuid
             * @description The value of `X-Service-Delivery`.
             */
            id: string;
            /** @description The same in every redelivery. */
            event_id: string;
            /** @enum {string} */
            event_type: "job.canceled" | "job.failed" | "job.succeeded";
            /**
             * Format: uuid
             * @description Of a test event: a job that does not exist.
             */
            job_id: string;
            /** @description Empty once the content of its job is deleted and no attempt follows. */
            url: string;
            /**
             * @description `pending` until a receiver has acknowledged (`delivered`) or the last attempt has failed (`exhausted`).
             * @enum {string}
             */
            status: "delivered" | "exhausted" | "pending";
            attempt_count: number;
            /** @description Of the last attempt; null if no answer came. */
            last_response_status: number | null;
            /** @description The class of the last attempt's failure; null if it was acknowledged. */
            last_error: string | null;
            /**
             * Format: date-time
             * @description When the next attempt is due; null if none follows.
             */
            next_attempt_at: string | null;
            /**
             * Format: uuid
             * @description The delivery that this one repeats; null for the first one of an event.
             */
            redelivery_of: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, in UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description RFC 3339, in UTC.
             */
            completed_at: string | null;
        };
        /** @description A delivery with its attempts. */
        WebhookDeliveryDetails: {
            attempts: components["schemas"]["WebhookAttempt"][];
            /** @constant */
            object: "webhook_delivery";
            /**
             * Format: uuid
             * @description The value of `X-Service-Delivery`.
             */
            id: string;
            /** @description The same in every redelivery. */
            event_id: string;
            /** @enum {string} */
            event_type: "job.canceled" | "job.failed" | "job.succeeded";
            /**
             * Format: uuid
             * @description Of a test event: a job that does not exist.
             */
            job_id: string;
            /** @description Empty once the content of its job is deleted and no attempt follows. */
            url: string;
            /**
             * @description `pending` until a receiver has acknowledged (`delivered`) or the last attempt has failed (`exhausted`).
             * @enum {string}
             */
            status: "delivered" | "exhausted" | "pending";
            attempt_count: number;
            /** @description Of the last attempt; null if no answer came. */
            last_response_status: number | null;
            /** @description The class of the last attempt's failure; null if it was acknowledged. */
            last_error: string | null;
            /**
             * Format: date-time
             * @description When the next attempt is due; null if none follows.
             */
            next_attempt_at: string | null;
            /**
             * Format: uuid
             * @description The delivery that this one repeats; null for the first one of an event.
             */
            redelivery_of: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, in UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description RFC 3339, in UTC.
             */
            completed_at: string | null;
        };
        /** @description A page of deliveries, newest first. */
        WebhookDeliveryList: {
            /** @description Whether older ones follow. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last one. */
            next_cursor: string | null;
            /** @constant */
            object: "list";
            data: components["schemas"]["WebhookDelivery"][];
        };
        /** @description The payload of a webhook. */
        WebhookEvent: {
            /** @description The same for every attempt to deliver it. */
            id: string;
            /** @enum {string} */
            type: "job.canceled" | "job.failed" | "job.succeeded";
            /** @description Unix seconds. */
            created: number;
            data: {
                object: components["schemas"]["Job"];
            };
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
