/** Types of the paths of orders in test/goldens/openapi.json, by openapi-typescript 7.13.0, without descriptions. It needs TypeScript 5. */

export interface paths {
    "/operations/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/orders/deltas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listOrdersDeltas"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/orders/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["groupOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        orders: {
            /** Format: int32 */
            order_id: number;
            /** Format: int32 */
            property_id: number;
            /** Format: int32 */
            offer_hdr_id: number | null;
            /** Format: int32 */
            creditor_number: number | null;
            /** Format: int32 */
            to_hdr_id: number | null;
            /** Format: int32 */
            report_hdr_id: number | null;
            order_type: string | null;
            total_net: number | null;
            total_gross: number | null;
            cost_center_id: string | null;
            invoice_status: string | null;
            order_number: string | null;
            /** Format: int32 */
            project_hdr_id: number | null;
            /** Format: int32 */
            service_contract_id: number | null;
            floor_area_id: string | null;
            /** Format: int32 */
            cost_account_id: number | null;
            subject: string | null;
            description: string | null;
            status: string | null;
            priority_text: string | null;
            trade: string | null;
            /** Format: int32 */
            responsible_employee_id: number | null;
            /** Format: int32 */
            approved_by_employee_id: number | null;
            /** Format: date */
            order_date: string | null;
            /** Format: date */
            approval_date: string | null;
            /** Format: date */
            sent_date: string | null;
            /** Format: date */
            planned_start_date: string | null;
            /** Format: date */
            planned_end_date: string | null;
            /** Format: date */
            execution_start_date: string | null;
            /** Format: date */
            execution_end_date: string | null;
            /** Format: date */
            acceptance_date: string | null;
            /** Format: date */
            warranty_end_date: string | null;
            /** Format: date */
            closed_date: string | null;
            vat_rate: number | null;
            total_vat: number | null;
            estimated_net: number | null;
            supplement_net: number | null;
            retention_percent: number | null;
            retention_amount: number | null;
            /** Format: int32 */
            invoice_count: number | null;
            invoiced_net: number | null;
            invoiced_vat: number | null;
            invoiced_gross: number | null;
            paid_amount: number | null;
            open_amount: number | null;
            remaining_net: number | null;
            last_invoice_number: string | null;
            /** Format: date */
            last_invoice_date: string | null;
            /** Format: date */
            last_payment_date: string | null;
            allocable_percent: number | null;
            is_insurance_claim: boolean | null;
            name: string | null;
            entrance: string | null;
            address: string | null;
            contact_name: string | null;
            contact_phone: string | null;
            contact_email: string | null;
            hierarchy_1: string | null;
            hierarchy_2: string | null;
            hierarchy_3: string | null;
            hierarchy_4: string | null;
            hierarchy_5: string | null;
            currency: string | null;
            /** Format: date-time */
            created_at: string | null;
            /** Format: date-time */
            changed_at: string | null;
            city: string | null;
            postal_code: string | null;
        };
        RequestedRow: {
            [key: string]: string | number | boolean | null;
        };
        Problem: {
            /** @constant */
            type: "about:blank";
            title: string;
            status: number;
            detail: string;
            instance: string;
        };
    };
    responses: {
        orders: {
            headers: {
                "X-Total-Count": components["headers"]["X-Total-Count"];
                "X-Has-More": components["headers"]["X-Has-More"];
                "X-Next-Offset": components["headers"]["X-Next-Offset"];
                "X-Next-Cursor": components["headers"]["X-Next-Cursor"];
                "X-Snapshot-At": components["headers"]["X-Snapshot-At"];
                "X-Data-Version": components["headers"]["X-Data-Version"];
                ETag: components["headers"]["ETag"];
                Link: components["headers"]["Link"];
                "Content-Disposition": components["headers"]["Content-Disposition"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Server-Timing": components["headers"]["Server-Timing"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": (components["schemas"]["orders"] | components["schemas"]["RequestedRow"])[];
                "text/csv": string;
            };
        };
        NotModified: {
            headers: {
                ETag: components["headers"]["ETag"];
                "X-Snapshot-At": components["headers"]["X-Snapshot-At"];
                "X-Data-Version": components["headers"]["X-Data-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Server-Timing": components["headers"]["Server-Timing"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content?: never;
        };
        Unauthorized: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Server-Timing": components["headers"]["Server-Timing"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        Forbidden: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Server-Timing": components["headers"]["Server-Timing"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        NotFound: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Server-Timing": components["headers"]["Server-Timing"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        InvalidParameter: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Server-Timing": components["headers"]["Server-Timing"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        RateLimited: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Server-Timing": components["headers"]["Server-Timing"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        InternalError: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Server-Timing": components["headers"]["Server-Timing"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        Busy: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Server-Timing": components["headers"]["Server-Timing"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        Gone: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Server-Timing": components["headers"]["Server-Timing"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        InvalidVersion: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Server-Timing": components["headers"]["Server-Timing"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        Groups: {
            headers: {
                "X-Total-Count": components["headers"]["X-Total-Count"];
                "X-Has-More": components["headers"]["X-Has-More"];
                "X-Next-Cursor": components["headers"]["X-Next-Cursor"];
                "X-Snapshot-At": components["headers"]["X-Snapshot-At"];
                "X-Data-Version": components["headers"]["X-Data-Version"];
                ETag: components["headers"]["ETag"];
                Link: components["headers"]["Link"];
                "Content-Disposition": components["headers"]["Content-Disposition"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Server-Timing": components["headers"]["Server-Timing"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    [key: string]: unknown;
                }[];
                "text/csv": string;
            };
        };
    };
    parameters: {
        limit: number;
        offset: number;
        cursor: string;
        "orders.order_id": string;
        "orders.property_id": string;
        "orders.offer_hdr_id": string;
        "orders.creditor_number": string;
        "orders.to_hdr_id": string;
        "orders.report_hdr_id": string;
        "orders.order_type": string;
        "orders.cost_center_id": string;
        "orders.invoice_status": string;
        "orders.order_number": string;
        "orders.project_hdr_id": string;
        "orders.service_contract_id": string;
        "orders.floor_area_id": string;
        "orders.cost_account_id": string;
        "orders.status": string;
        "orders.priority_text": string;
        "orders.trade": string;
        "orders.responsible_employee_id": string;
        "orders.is_insurance_claim": string;
        "orders.hierarchy_1": string;
        "orders.hierarchy_2": string;
        "orders.city": string;
        "orders.postal_code": string;
        where: string[];
        order: string[];
        columns: string[];
        format: "json" | "csv";
        ifNoneMatch: string;
        sinceVersion: number;
        deltaCursor: string;
        groupBy: string[];
        groupCount: string;
        "groups.orders.sum": ("total_net" | "total_gross" | "vat_rate" | "total_vat" | "estimated_net" | "supplement_net" | "retention_percent" | "retention_amount" | "invoice_count" | "invoiced_net" | "invoiced_vat" | "invoiced_gross" | "paid_amount" | "open_amount" | "remaining_net" | "allocable_percent")[];
        "groups.orders.avg": ("total_net" | "total_gross" | "vat_rate" | "total_vat" | "estimated_net" | "supplement_net" | "retention_percent" | "retention_amount" | "invoice_count" | "invoiced_net" | "invoiced_vat" | "invoiced_gross" | "paid_amount" | "open_amount" | "remaining_net" | "allocable_percent")[];
        "groups.orders.median": ("total_net" | "total_gross" | "vat_rate" | "total_vat" | "estimated_net" | "supplement_net" | "retention_percent" | "retention_amount" | "invoice_count" | "invoiced_net" | "invoiced_vat" | "invoiced_gross" | "paid_amount" | "open_amount" | "remaining_net" | "allocable_percent")[];
        "groups.orders.stddev": ("total_net" | "total_gross" | "vat_rate" | "total_vat" | "estimated_net" | "supplement_net" | "retention_percent" | "retention_amount" | "invoice_count" | "invoiced_net" | "invoiced_vat" | "invoiced_gross" | "paid_amount" | "open_amount" | "remaining_net" | "allocable_percent")[];
        "groups.orders.measure": ("maintenance_cost_per_sqm" | "order_throughput_days" | "offer_deviation")[];
        groupSumOnce: string[];
        groupMin: string[];
        groupMax: string[];
        groupDistinct: string[];
        groupValue: string[];
        groupFill: string[];
        groupHaving: string[];
        groupOrder: string[];
        groupLimit: number;
        groupCursor: string;
    };
    requestBodies: never;
    headers: {
        "X-Total-Count": number;
        "X-Has-More": "true" | "false";
        "X-Next-Offset": number;
        "X-Ignored-Parameters": string;
        "Preference-Applied": string;
        "X-Next-Cursor": string;
        "X-Unknown-Values": string;
        "X-Snapshot-At": string;
        "X-Data-Version": number;
        ETag: string;
        Link: string;
        "Content-Disposition": string;
        "X-RateLimit-Limit": number;
        "X-RateLimit-Remaining": number;
        "RateLimit-Limit": number;
        "RateLimit-Remaining": number;
        "RateLimit-Reset": number;
        "RateLimit-Policy": string;
        "Server-Timing": string;
        "X-Request-Id": string;
        "Retry-After": number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listOrders: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limit"];
                offset?: components["parameters"]["offset"];
                cursor?: components["parameters"]["cursor"];
                order_id?: components["parameters"]["orders.order_id"];
                property_id?: components["parameters"]["orders.property_id"];
                offer_hdr_id?: components["parameters"]["orders.offer_hdr_id"];
                creditor_number?: components["parameters"]["orders.creditor_number"];
                to_hdr_id?: components["parameters"]["orders.to_hdr_id"];
                report_hdr_id?: components["parameters"]["orders.report_hdr_id"];
                order_type?: components["parameters"]["orders.order_type"];
                cost_center_id?: components["parameters"]["orders.cost_center_id"];
                invoice_status?: components["parameters"]["orders.invoice_status"];
                order_number?: components["parameters"]["orders.order_number"];
                project_hdr_id?: components["parameters"]["orders.project_hdr_id"];
                service_contract_id?: components["parameters"]["orders.service_contract_id"];
                floor_area_id?: components["parameters"]["orders.floor_area_id"];
                cost_account_id?: components["parameters"]["orders.cost_account_id"];
                status?: components["parameters"]["orders.status"];
                priority_text?: components["parameters"]["orders.priority_text"];
                city?: components["parameters"]["orders.city"];
                postal_code?: components["parameters"]["orders.postal_code"];
                where?: components["parameters"]["where"];
                order?: components["parameters"]["order"];
                columns?: components["parameters"]["columns"];
                trade?: components["parameters"]["orders.trade"];
                responsible_employee_id?: components["parameters"]["orders.responsible_employee_id"];
                is_insurance_claim?: components["parameters"]["orders.is_insurance_claim"];
                hierarchy_1?: components["parameters"]["orders.hierarchy_1"];
                hierarchy_2?: components["parameters"]["orders.hierarchy_2"];
                city?: components["parameters"]["orders.city"];
                postal_code?: components["parameters"]["orders.postal_code"];
                format?: components["parameters"]["format"];
            };
            header?: {
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["orders"];
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Busy"];
        };
    };
    listOrdersDeltas: {
        parameters: {
            query: {
                since_version: components["parameters"]["sinceVersion"];
                limit?: components["parameters"]["limit"];
                cursor?: components["parameters"]["deltaCursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Snapshot-At": components["headers"]["X-Snapshot-At"];
                    "X-Data-Version": components["headers"]["X-Data-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Server-Timing": components["headers"]["Server-Timing"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        from_version: number;
                        to_version: number;
                        upserts: components["schemas"]["orders"][];
                        deletes: number[];
                        next_cursor: string | null;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            422: components["responses"]["InvalidVersion"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Busy"];
        };
    };
    groupOrders: {
        parameters: {
            query?: {
                by?: components["parameters"]["groupBy"];
                count?: components["parameters"]["groupCount"];
                sum?: components["parameters"]["groups.orders.sum"];
                avg?: components["parameters"]["groups.orders.avg"];
                median?: components["parameters"]["groups.orders.median"];
                stddev?: components["parameters"]["groups.orders.stddev"];
                measure?: components["parameters"]["groups.orders.measure"];
                sum_once?: components["parameters"]["groupSumOnce"];
                min?: components["parameters"]["groupMin"];
                max?: components["parameters"]["groupMax"];
                distinct?: components["parameters"]["groupDistinct"];
                value?: components["parameters"]["groupValue"];
                fill?: components["parameters"]["groupFill"];
                where?: components["parameters"]["where"];
                having?: components["parameters"]["groupHaving"];
                order?: components["parameters"]["groupOrder"];
                limit?: components["parameters"]["groupLimit"];
                cursor?: components["parameters"]["groupCursor"];
                order_id?: components["parameters"]["orders.order_id"];
                property_id?: components["parameters"]["orders.property_id"];
                offer_hdr_id?: components["parameters"]["orders.offer_hdr_id"];
                creditor_number?: components["parameters"]["orders.creditor_number"];
                to_hdr_id?: components["parameters"]["orders.to_hdr_id"];
                report_hdr_id?: components["parameters"]["orders.report_hdr_id"];
                order_type?: components["parameters"]["orders.order_type"];
                cost_center_id?: components["parameters"]["orders.cost_center_id"];
                invoice_status?: components["parameters"]["orders.invoice_status"];
                order_number?: components["parameters"]["orders.order_number"];
                project_hdr_id?: components["parameters"]["orders.project_hdr_id"];
                service_contract_id?: components["parameters"]["orders.service_contract_id"];
                floor_area_id?: components["parameters"]["orders.floor_area_id"];
                cost_account_id?: components["parameters"]["orders.cost_account_id"];
                status?: components["parameters"]["orders.status"];
                priority_text?: components["parameters"]["orders.priority_text"];
                trade?: components["parameters"]["orders.trade"];
                responsible_employee_id?: components["parameters"]["orders.responsible_employee_id"];
                is_insurance_claim?: components["parameters"]["orders.is_insurance_claim"];
                hierarchy_1?: components["parameters"]["orders.hierarchy_1"];
                hierarchy_2?: components["parameters"]["orders.hierarchy_2"];
                city?: components["parameters"]["orders.city"];
                postal_code?: components["parameters"]["orders.postal_code"];
                format?: components["parameters"]["format"];
            };
            header?: {
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Groups"];
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Busy"];
        };
    };
}
